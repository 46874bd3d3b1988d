import type { LateTexts } from '../late-texts.ts'

/** La página que comprueba un resultado firmado. */
export const result: LateTexts['result'] = {
  title: 'Un resultado',
  checking: 'Comprobando la firma',
  genuine: 'Este resultado es auténtico',
  genuineNote: 'Lo firmó este servicio, y desde entonces no se ha cambiado nada en él.',
  notGenuine: 'Este resultado no se puede confirmar',
  notGenuineNote:
    'No está firmado con ninguna clave que tenga este servicio. Puede que el enlace esté cortado o cambiado, o que su clave se haya retirado. Pide de nuevo el enlace, entero.',
  unchecked: 'No se ha podido comprobar el resultado',
  uncheckedNote: 'Eso no dice nada de él. Comprueba tu conexión e inténtalo de nuevo.',
  tryAgain: 'Reintentar',
  simulation: 'Simulación',
  learner: 'Participante',
  anonymous: 'no dio ningún nombre',
  inClass: 'Clase',
  run: 'Partida',
  again: 'Jugada otra vez',
  againFrom: 'desde un momento de una partida anterior, ya decidida',
  decision: 'Decisión',
  verdict: 'Valoración',
  verdicts: { right: 'la decisión acertada', defensible: 'se puede defender', wrong: 'la decisión equivocada' },
  facts: 'Datos decisivos',
  factsLine: ({ deciding, heard, cited }) =>
    `${heard} de ${deciding} ${heard === 1 ? 'oído' : 'oídos'}, ${cited} ${cited === 1 ? 'citado' : 'citados'}`,
  objectives: 'Objetivos',
  objectivesLine: ({ met, of }) => `${met} de ${of} ${met === 1 ? 'logrado' : 'logrados'}`,
  began: 'Empezó',
  decided: 'Decidió',
  since: (when) => `Lo dice desde el ${when}.`,
  note: 'El apodo es como quiso llamarse quien participó. Nada de esto dice quién es.',
  classNote:
    'Cualquiera puede crear una clase con cualquier nombre. Si esta partida se jugó en la tuya, está en el CSV de tu clase, en la columna «run».',
  toLibrary: 'A las simulaciones',
}
