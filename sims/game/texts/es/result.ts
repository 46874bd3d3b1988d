import type { LateTexts } from '../late-texts.ts'

/** La página que comprueba un resultado firmado. */
export const result: LateTexts['result'] = {
  title: 'Un resultado',
  checking: 'Comprobando la firma',
  genuine: 'Este resultado es auténtico',
  genuineNote: 'Lo firmó este servicio, y desde entonces no se ha cambiado nada en él.',
  notGenuine: 'Este resultado no es auténtico',
  notGenuineNote: 'No lo firmó este servicio, o se ha cambiado o cortado algo en él. Pide de nuevo el enlace, entero.',
  unchecked: 'No se ha podido comprobar el resultado',
  uncheckedNote: 'Eso no dice nada de él. Comprueba tu conexión e inténtalo de nuevo.',
  tryAgain: 'Intentar de nuevo',
  simulation: 'Simulación',
  learner: 'Participante',
  anonymous: 'no dio ningún nombre',
  inClass: 'Clase',
  decision: 'Decisión',
  verdict: 'Valoración',
  verdicts: { right: 'la decisión acertada', defensible: 'se puede defender', wrong: 'la decisión equivocada' },
  facts: 'Datos decisivos',
  factsLine: ({ deciding, heard, cited }) =>
    `${heard} de ${deciding} ${heard === 1 ? 'oído' : 'oídos'}, ${cited} ${cited === 1 ? 'citado' : 'citados'}`,
  objectives: 'Objetivos',
  objectivesLine: ({ met, of }) => `${met} de ${of} ${met === 1 ? 'cumplido' : 'cumplidos'}`,
  began: 'Empezó',
  decided: 'Decidió',
  since: (when) => `Lo dice desde el ${when}.`,
  note: 'El apodo es como quiso llamarse quien participó. Nada de esto dice quién es.',
  toLibrary: 'A las simulaciones',
}
