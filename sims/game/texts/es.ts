import type { ConversationTexts } from '../../../widget/texts/en.ts'
import { spanishTexts } from '../../../widget/texts/es.ts'
import { createFormat } from './format.ts'
import type { Texts } from './texts.ts'

const { number, plural } = createFormat('es')

const shell: Texts['shell'] = {
  skip: 'Ir al contenido',
  home: 'Walkon, a la biblioteca',
  language: 'Idioma',
  keys: 'Atajos de teclado',
  close: 'Cerrar',
  waiting: 'Preparando',
  toDesk: 'A tu mesa',
  toLibrary: 'A la biblioteca',
  notes: 'Avisos',
  screen: {
    library: 'Simulaciones',
    join: 'Unirse a una clase',
    link: 'Abriendo una partida',
    briefing: 'Presentación',
    desk: 'Mesa',
    talk: 'Conversación',
    notebook: 'Cuaderno',
    decide: 'Decisión',
    debrief: 'Balance',
    result: 'Resultado',
    teach: 'Para una clase',
    class: 'Clase',
  },
  title: (screen, about) => (about === '' ? `${screen} · Walkon` : `${screen} · ${about} · Walkon`),

  libraryTitle: 'Alguien tiene que decidir. Hoy te toca a ti.',
  libraryLead:
    'Tienes un puesto y una decisión que tomar. Cada colega sabe una parte y nadie lo sabe todo. Pregúntales en un chat, con tus palabras, decide y mira qué pasa después.',
  isWritten: 'En este servidor no habla ninguna IA: responden con frases que escribió un autor.',
  inEnglish: 'en inglés',
  leftOff: 'Donde lo dejaste',
  doneRuns: 'Lo que has decidido',
  allSimulations: 'Simulaciones',
  startHere: 'Empieza por aquí',
  tier: { TECHNICAL: 'Fácil', ACADEMIC: 'Intermedia', EXPERT: 'Difícil' },
  minutes: (count) => plural(count, { one: `Alrededor de ${count} minuto`, other: `Unos ${count} minutos` }),
  about: 'Sobre esta simulación',
  youAre: 'Eres',
  practises: 'Practicas',
  people: (count) => plural(count, { one: `${count} colega y un guía`, other: `${count} colegas y un guía` }),
  begin: 'Empezar',
  beginAnew: 'Empezar de nuevo',
  goOn: 'Continuar',
  seeDebrief: 'Ver el balance',
  beginning: 'Empezando',
  stands: {
    begun: 'Empezada',
    decided: 'Decidida',
    unknown: 'Empezada aquí',
  },
  with: (name) => `Con ${name}`,
  begun: (when) => `Empezada ${when}`,
  begunOn: (day) => `Empezada el ${day}`,
  inClass: (title) => `En la clase «${title}»`,
  againFrom: (name) => (name === null ? 'De nuevo desde la decisión' : `De nuevo desde un momento con ${name}`),
  runMenu: 'Más',
  copyLink: 'Copiar su enlace',
  copied: 'Enlace copiado. Quien lo tenga puede abrir y jugar esta partida.',
  notCopied: 'Tu navegador no ha dejado copiarlo. Aquí está:',
  forget: 'Olvidarla aquí',
  forgetSure: '¿Olvidarla? Sin su enlace esta partida no se podrá volver a abrir.',
  forgetYes: 'Olvidar',
  forgetNo: 'Conservar',
  forgotten: 'Olvidada en este navegador.',
  joinTitle: '¿Vienes con una clase?',
  joinLabel: 'Código de clase',
  joinGo: 'Unirse',
  joinNone: 'Escribe el código que te dio tu docente.',
  forTeachers: 'Para docentes: jugar con una clase',
  embedDemo: 'Para quien tiene un sitio web',
  keptNote: 'Este navegador recuerda los enlaces de tus partidas. Sin cuenta ni cookies.',
  noSimulations: 'Aquí todavía no hay simulaciones.',

  joinClass: (title) => `Unirse a «${title}»`,
  joinLead: 'Tu docente ve por dónde vas y qué decides, con el nombre que elijas aquí.',
  nickname: 'Un apodo o un código',
  nicknameHint: 'De 1 a 24 caracteres. No hace falta que sea tu nombre.',
  nicknameNone: 'Elige antes un apodo. Cualquiera sirve.',
  nicknameLong: 'Tiene más de 24 caracteres. Acórtalo.',
  nicknameWrong: 'Este apodo no se puede usar. Elige otro.',
  unknownClass: 'No hay ninguna clase con este código. Compruébalo con tu docente.',
  classFull: 'Esta clase está llena. Pregunta a tu docente.',
  classClosed: 'Esta clase está cerrada: ahora nadie puede unirse. Pide a tu docente que la abra de nuevo.',
  classClosedNote: 'Si ya te habías unido, tu partida está en la biblioteca del navegador en el que la empezaste.',
  tooManyCodes:
    'Desde esta red se han probado demasiados códigos equivocados. Espera diez minutos e inténtalo de nuevo.',

  situation: 'Qué está pasando',
  options: 'Tus opciones',
  decideWord: 'Plazo:',
  whoKnows: 'Quién sabe algo del asunto',
  talkTo: (name) => `Hablar con ${name}`,
  startWith: (name) => `Empezar con ${name}`,
  briefingLead: (name) =>
    `${name} te guía y sabe quién tiene qué. Pregunta con tus palabras, de una cosa en una. Lo que importa se anota.`,
  skipBriefing: 'Ir a tu mesa',

  peopleTitle: 'Personas',
  status: {
    new: 'Aún no habéis hablado',
    talking: 'Conversación abierta',
    settled: 'Por si tienes preguntas',
    over: 'Ya habéis hablado',
    forced: 'Sin terminar',
  },
  nextStep: 'Ahora',
  next: {
    guide: (name) => `${name} te pone en situación. Cuando sepas bastante, empieza con los demás.`,
    talking: (name) => `${name} te espera. Cuando hayas oído bastante, di con tus palabras a qué se reduce, y adiós.`,
    parting: (name) => `Ya tienes lo que buscabas. Puedes preguntarle más a ${name} o despedirte.`,
    sent: (name, by) => `${by} te envió a hablar con ${name}.`,
    tell: (name) => `Ya has hablado con todos. ${name} apunta tu decisión.`,
    new: (name) => `Todavía no has hablado con ${name}.`,
    decide: 'Has hablado con todos. Te toca decidir.',
    stillToSay: (names) => `Todavía puedes decirle a ${names} qué se deduce de todo esto.`,
    debrief: 'Ya has decidido. Mira qué pasó después.',
  },
  tellDecision: 'Tomar la decisión',
  goOnWith: (name) => `Seguir con ${name}`,
  objectives: 'Objetivos',
  objective: { open: 'Pendiente', met: 'Logrado', missed: 'Aún no logrado' },
  notebook: 'Cuaderno',
  decide: 'Decidir',
  decideHint: 'Decide cuando hayas oído bastante.',
  factsNoted: (n) => plural(n, { one: '1 apunte', other: `${n} apuntes` }),
  debrief: 'Ver qué pasó después',
  readBriefing: 'Releer la presentación',
  noted: 'Algo nuevo en tu cuaderno',
  metNow: (title) => `Objetivo logrado: ${title}`,

  talkWith: (name) => `Conversación con ${name}`,
  nobodyHere: 'En esta simulación no hay nadie con ese nombre.',

  offline: 'Estás sin conexión. Lo que hay en esta página se queda; el resto llegará cuando vuelvas a tenerla.',
  backOnline: 'Vuelves a tener conexión.',
  tryAgain: 'Reintentar',
  notLoaded: 'No se pudo cargar. No se ha perdido nada.',
  stale: 'Puede que no esté al día: el servicio no ha respondido.',
  gone: 'Esta partida ya no está aquí',
  goneSays: 'Se ha borrado o su enlace ha caducado. Puedes empezar la simulación de nuevo.',
  noKey: 'Esta partida es de otro navegador',
  noKeySays: 'Su dirección no basta para abrirla. Copia allí su enlace, en la biblioteca, y ábrelo aquí.',
  badLink: 'Este enlace no funciona',
  badLinkSays: 'Quizá se cortó al copiarlo. Cópialo otra vez, entero.',
  unknownSimulation: 'Esta simulación ya no se ofrece',
  unknownSimulationSays: 'La partida empezó con una simulación que ya se ha retirado.',
  needsModel: 'Necesita un modelo de lenguaje',
  needsModelSays:
    'Esta simulación necesita un modelo de lenguaje y este servidor no tiene ninguno. Quien lo administra debe definir OPENAI_API_KEY y reiniciarlo.',
  notStarted: 'No se pudo empezar. Inténtalo de nuevo en un momento.',
  begunMeanwhile: 'Tu partida nueva ha empezado. Está en la biblioteca.',
  tooMany: 'Se han empezado demasiadas partidas desde aquí. Espera un minuto e inténtalo de nuevo.',

  keysTitle: 'Atajos de teclado',
  keysList: [
    ['?', 'Esta lista'],
    ['Escape', 'Un paso atrás: a la mesa y después a la biblioteca'],
    ['Alt 1 … 9', 'Hablar con un colega, en el orden de la mesa'],
    ['Alt 0', 'La mesa'],
    ['Alt N', 'El cuaderno'],
    ['Enter', 'Envía un mensaje; Shift Enter empieza otra línea'],
    ['1 … 9', 'Responde a un momento que pide respuesta, o elige una opción de la decisión'],
    ['/', 'Busca en el cuaderno'],
  ],
}

const notebook: Texts['notebook'] = {
  title: 'Cuaderno',

  search: 'Buscar en el cuaderno',
  searchKey: 'Pulsa / para buscar',
  clear: 'Borrar',
  found: (facts, documents) => {
    const both = [
      ...(facts > 0 ? [facts === 1 ? '1 cosa que has oído' : `${facts} cosas que has oído`] : []),
      ...(documents > 0 ? [documents === 1 ? '1 documento' : `${documents} documentos`] : []),
    ]
    return both.length === 0 ? 'Sin resultados' : `Resultados: ${both.join(' y ')}`
  },
  nothingFound:
    'El cuaderno guarda lo que cuenta para la decisión. Lo demás está en tus conversaciones. O pregunta a alguien:',
  showAll: 'Mostrar todo',
  from: 'De quién',
  everybody: 'Todos',

  objectives: 'Objetivos',
  missedWith: (name) =>
    `La conversación con ${name} terminó antes de que dijeras con tus palabras en qué queda. Todavía puedes decirlo allí.`,

  ownWords: 'Qué sacas de ello',
  ownWordsHint: 'Una idea, una duda, una pregunta',
  ownWordsHelp: 'Solo para ti, en este dispositivo. Al decidir, tu razón puede empezar con ello.',
  ownWordsKept: 'Solo para ti, en este dispositivo.',

  heard: 'Lo que has oído',
  nothingHeard: 'Todavía nada. Aquí queda escrito lo que te cuenten tus colegas y sea importante para la decisión.',
  nothingFrom: (name) => `Todavía nada de ${name}.`,
  inWriting: 'Por escrito',
  moreInWriting: (n) => (n === 1 ? 'Una más, del documento' : `${n} más, del documento`),
  onPaper: (name) => `${name}, por escrito`,
  talkTo: (name) => `Hablar con ${name}`,
  toPeople: 'Ver quién está',
  isNew: 'Nuevo',
  earlier: (n) => (n === 1 ? 'Una más en el cuaderno' : `${n} más en el cuaderno`),

  documents: 'Documentos',
  noDocuments: 'Todavía nada. Cada colega entrega su documento al final de la conversación.',
  fromWhom: (name) => `De ${name}`,
  handedOver: (name, role) => `Entregado por ${name}, ${role}`,
  notHere: 'Este documento no está en tu cuaderno, o todavía no.',
  factNotHere: 'Esto todavía no lo has oído.',
  back: 'Volver al cuaderno',
  close: 'Cerrar el documento',
  print: 'Imprimir',
  ringHint: 'Pulsa una cifra para rodearla a lápiz. Los círculos se quedan en este dispositivo.',
}

const decide: Texts['decide'] = {
  options: 'Lo que puedes hacer',
  keys: 'Elige una, o pulsa su número',
  more: 'Puede que haya otra salida. Aparecerá cuando quien sabe de ello te haya contado lo suficiente.',

  reason: 'Tu razón',
  reasonHelp: 'Con tus palabras: por qué esta y no las otras, y qué hace falta para que funcione.',
  inClass: 'Tu docente ve qué opción eliges. Puede mostrar tu razón a la clase: sin tu nombre y solo junto con otras.',
  kept: 'Se guarda en este dispositivo hasta que decidas.',
  counted: (n, most) => `${number(n)} de ${number(most)} caracteres`,
  over: (n) =>
    n === 1
      ? 'Sobra 1 carácter. No se corta nada: acórtala antes de decidir.'
      : `Sobran ${number(n)} caracteres. No se corta nada: acórtala antes de decidir.`,

  evidence: 'En qué te apoyas',
  evidenceHelp:
    'Lo que parece nombrar tu razón está marcado. Desmarca lo que no querías decir y marca en qué más se apoya.',
  namedIt: 'En tu razón',
  openedIt: 'Abrió esta opción',
  names: (n) =>
    n === 1
      ? 'Nombra una cosa de las que oíste, marcada abajo.'
      : `Nombra ${n} cosas de las que oíste, marcadas abajo.`,
  noEvidence:
    'Todavía no has oído nada que importe para esto, así que no hay en qué apoyarse. Puedes decidir igualmente; entonces tu razón irá sola.',
  toTick: (n, ticked) =>
    ticked === 0
      ? `${n} en total`
      : `${n} en total, ${plural(ticked, { one: '1 marcada', other: `${ticked} marcadas` })}`,
  reread: (title) => `Leer otra vez: ${title}`,
  openedAtDesk: 'Tienes otra opción',
  seeOptions: 'Ver las opciones',
  useNote: 'Empezar con lo que escribiste en el cuaderno',
  openedBy: (names) => `Se abrió por lo que te contaron ${names}`,
  ticked: (n) => (n === 0 ? 'Nada marcado todavía' : plural(n, { one: '1 marcada', other: `${n} marcadas` })),

  never: (names) => `No has hablado con ${names}.`,
  unfinished: (names) => `No has terminado de hablar con ${names}.`,
  allTheSame: 'Puedes decidir igualmente. Lo que no te han contado no estará en la decisión.',

  toLook: 'Repasarlo y decidir',
  lookTitle: 'Un último vistazo',
  youDecide: 'Decides:',
  because: 'porque',
  strength: 'apoyándote en',
  onNothing: 'nada que hayas oído.',
  once: 'Se decide una vez, y así queda.',
  decide: 'Decidir',
  sending: 'Enviando tu decisión',
  change: 'Cambiar algo',
  tickFirst: 'Marca lo que oíste',

  noOption: 'Elige primero una de las opciones.',
  noReason: 'Escribe primero tu razón. Basta una frase.',

  offline: 'No tienes conexión. Lo que escribes se guarda en este dispositivo. Decide cuando vuelvas a tenerla.',
  unreachable:
    'No hubo respuesta, así que no se sabe si llegó. Aquí se guarda todo. Vuelve a intentarlo: cuenta una sola vez.',
  notHeard:
    'Algo de lo que marcaste ya no está en tu cuaderno. Ya no está marcado; lo demás se guarda. Míralo otra vez.',
  unknownOption: 'Esta simulación ya no ofrece esa opción. Tu razón se guarda. Elige otra.',
  notEarned: 'Esa opción aún no está a tu alcance: no has oído lo que hace falta. Tu razón se guarda. Elige otra.',
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

// The texts of a conversation, where they differ from the widget's, as in English.
const startOver = 'Abrirla de nuevo'
const widget: ConversationTexts = {
  ...spanishTexts,
  close: 'Volver a la mesa',
  startOver,
  startedOver: 'Esta conversación se ha vuelto a abrir.',
  again: (refusal) => (refusal?.next === 'start-over' ? startOver : spanishTexts.tryAgain),
}

/** All Spanish texts of the screens before the debrief. */
export const es: Texts = { shell, notebook, decide, widget }
