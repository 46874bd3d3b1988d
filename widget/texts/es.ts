import type { ConversationTexts } from './en.ts'

const WHY: Partial<Record<string, string>> = {
  'wrong-version': 'Esta página es más antigua que el servicio. Vuelve a cargarla para seguir.',
  'forbidden-origin': 'Este sitio no puede abrir la conversación. Quien lo lleva puede cambiarlo.',
  'needs-model': 'Esta conversación necesita un modelo de lenguaje y este servidor no tiene ninguno.',
  'identity-required': 'No has iniciado sesión, o lo hiciste como otra persona. Inicia sesión e inténtalo de nuevo.',
  'rate-limited': 'Se han abierto demasiadas conversaciones desde aquí. Espera un minuto e inténtalo de nuevo.',
  'not-admitted': 'Esta conversación ya no se puede abrir desde aquí. Tus palabras se guardan. Inténtalo de nuevo.',
  'too-fast': 'Eso ha sido rápido. Se enviará solo en un momento.',
  spent: 'Por hoy ya se ha hablado bastante aquí. Vuelve mañana.',
}

const startOver = 'Empezar otra conversación'
const tryAgain = 'Reintentar'
const notSent = 'No enviado. Tu mensaje se guarda.'
const why: ConversationTexts['why'] = (refusal) => (refusal && WHY[refusal.code]) ?? refusal?.message ?? ''

/** The Spanish texts. */
export const spanishTexts: ConversationTexts = {
  panel: 'Conversación',
  close: 'Cerrar',
  menu: 'Menú',
  unread: (name, count) => (count === 1 ? `${name} ha respondido` : `${count} respuestas de ${name}`),
  opening: 'Preparando la sala',
  tryAgain,
  startOver,
  startedOver: 'La conversación anterior ya no está. Esta es nueva.',
  whyRefused: ({ code }, begun) =>
    WHY[code] ??
    (begun
      ? 'El servicio ha cerrado esta conexión. Lo dicho se guarda.'
      : 'No se pudo abrir la conversación. No se ha perdido nada.'),
  youAre: 'Tu papel:',
  meeting: (conversation) =>
    conversation ? `${conversation.npc.name}, ${conversation.npc.role}. ${conversation.scene}` : '',
  rehearsal: 'Respuestas ya escritas, sin IA. Despídete cuando tengas bastante.',
  model: (label) => `Habla ${label}`,
  mood: 'Ánimo: ',
  transcript: 'Transcripción',
  you: 'Tú',
  says: (name) => `${name}:`,
  replying: (name) => `${name} está respondiendo`,
  newMessages: 'Mensajes nuevos',
  openersTitle: 'Para empezar',
  openers: ['Hola. ¿Qué está pasando?', '¿Qué debería saber?'],
  offersTitle: 'Puedes decir',
  sending: 'Enviando',
  sent: 'Enviado',
  queued: 'Espera su turno',
  queuedAsked: 'Espera tu respuesta de arriba',
  queuedOffline: 'Sin enviar todavía. Se enviará cuando vuelva la conexión.',
  notSent,
  edit: 'Editar',
  tooLong: (over) =>
    `Demasiado largo: ${over === 1 ? 'sobra 1 carácter' : `sobran ${over} caracteres`}. No se corta nada.`,
  again: (refusal) => (refusal?.next === 'start-over' ? startOver : tryAgain),
  why,
  whyNot: (refusal) => `${notSent} ${why(refusal)}`,
  stop: (name) => `Interrumpir a ${name}`,
  slow: 'Sigue pensando. Puedes parar y volver a preguntar.',
  stopped: (name) => `Aquí interrumpiste a ${name}.`,
  replyFailed: (name) => `${name} no pudo terminar.`,
  pivot: (name) => `${name} quiere una respuesta`,
  pivotHint: 'Elige una o pulsa su número',
  pivotTyped: (text) => `Tomado como «${text}»`,
  pivotFailed: 'No enviado. Elige otra vez.',
  objective: (title) => `Objetivo logrado: ${title}`,
  objectiveLabel: 'Objetivo logrado',
  closingEarned: 'Lo que te llevas',
  closingForced: (name) => `Aún no dijiste con tus palabras en qué queda. Todavía puedes contárselo a ${name}.`,
  closingOver: (name) => `Esa fue la conversación con ${name}.`,
  askAfter: (name) => `Aún puedes preguntarle a ${name}.`,
  resume: 'Espera, una cosa más',
  resumed: (name) => `${name} te escucha de nuevo.`,
  talkTo: (name) => `Hablar con ${name}`,
  composer: (name) => (name ? `Mensaje para ${name}` : 'Mensaje'),
  placeholder: (name, isAdvised) => (isAdvised ? 'Mejor de una en una' : name ? `Dile algo a ${name}` : 'Di algo'),
  send: 'Enviar',
  reconnecting: 'Reconectando. No se pierde nada.',
  stillReconnecting: 'Está tardando más de lo debido. Tus mensajes se guardan.',
  offline: 'Estás sin conexión. Tus mensajes se guardan y se enviarán cuando vuelvas a tenerla.',
  reconnected: 'Vuelves a tener conexión.',
  reconnect: 'Probar ahora',
  moreSentences: (count) =>
    count === 1 ? 'Una frase más en la transcripción.' : `${count} frases más en la transcripción.`,
  level: {
    hostile: 'hostil',
    guarded: 'en guardia',
    neutral: 'neutral',
    cooperative: 'de tu parte',
    trusting: 'con confianza',
  },
}
