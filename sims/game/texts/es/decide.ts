import type { Texts } from '../texts.ts'

export const decide: Texts['decide'] = {
  due: 'Plazo:',

  options: 'Lo que puedes hacer',
  keys: 'Elige una, o pulsa su número',

  reason: 'Tu razón',
  reasonHelp: 'Con tus palabras: por qué esta y no las otras.',
  kept: 'Se guarda en este dispositivo hasta que decidas.',
  counted: (n, most) => `${n.toLocaleString('es')} de ${most.toLocaleString('es')} caracteres`,
  over: (n) =>
    n === 1
      ? 'Sobra 1 carácter. No se corta nada: acórtala antes de decidir.'
      : `Sobran ${n.toLocaleString('es')} caracteres. No se corta nada: acórtala antes de decidir.`,

  evidence: 'En qué te apoyas',
  evidenceHelp: 'Marca lo que has oído que la respalda.',
  noEvidence:
    'Todavía no has oído nada que importe para esto, así que no hay en qué apoyarse. Puedes decidir igualmente; entonces tu razón irá sola.',
  ticked: (n, of) => `${n} de ${of} marcadas`,

  never: (names) => `No has hablado con ${names}.`,
  unfinished: (names) => `No has terminado de hablar con ${names}.`,
  allTheSame: 'Puedes decidir igualmente. Lo que no te han contado no estará en la decisión.',

  toLook: 'Echar un último vistazo',
  lookTitle: 'Un último vistazo',
  youDecide: 'Decides:',
  because: 'porque',
  strength: 'apoyándote en',
  onNothing: 'nada que hayas oído.',
  once: 'Se decide una vez, y así queda.',
  decide: 'Decidir',
  sending: 'Enviando tu decisión',
  change: 'Cambiar algo',

  noOption: 'Elige primero una de las opciones.',
  noReason: 'Escribe primero tu razón. Basta una frase.',

  offline: 'No tienes conexión. Lo que escribes se guarda en este dispositivo. Decide cuando vuelvas a tenerla.',
  unreachable:
    'No hubo respuesta, así que no se sabe si llegó. Aquí se guarda todo. Vuelve a intentarlo: cuenta una sola vez.',
  notHeard:
    'Algo de lo que marcaste ya no está en tu cuaderno. Ya no está marcado; lo demás se guarda. Míralo otra vez.',
  unknownOption: 'Esta simulación ya no ofrece esa opción. Tu razón se guarda. Elige otra.',
  tooFast:
    'Han sido demasiadas peticiones. Esta no se ha admitido y todo se guarda. Espera un minuto y vuelve a intentarlo.',
  notAdmitted:
    'Este enlace ya no abre la partida, así que con él no se puede decidir. Lo que escribiste se guarda en este dispositivo.',
  failed:
    'Ahora mismo no ha funcionado, y no se sabe si quedó decidido. Aquí se guarda todo. Vuelve a intentarlo en un momento: cuenta una sola vez.',
  arrived: 'Tu decisión ha llegado.',

  decided: 'Has decidido',
  toDebrief: 'Ver qué pasó',
  elsewhere:
    'Esta partida se decidió con palabras distintas de las que tienes aquí. Se decide una sola vez, así que esta es la que cuenta.',
  unsent: 'Lo que tenías escrito aquí, sin enviar',
  throwAway: 'Descartarlo',
}
