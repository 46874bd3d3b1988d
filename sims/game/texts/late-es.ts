import type { LateTexts } from './texts.ts'

const debrief: LateTexts['debrief'] = {
  loading: 'Preparando el balance',
  undecided: 'El balance llega cuando hayas decidido.',
  toDecision: 'Ir a la decisión',
  failed: 'No se ha podido obtener el balance. Tu decisión está guardada.',
  tryAgain: 'Reintentar',

  youDecided: 'Tu decisión',
  whatHappened: 'Lo que pasó después',
  toVerdict: 'Cómo se valoró',

  verdict: {
    right: 'Fue la decisión acertada.',
    defensible: 'Se puede defender.',
    wrong: 'Fue la decisión equivocada.',
  },
  rightAndShort: 'Fue la decisión acertada, y podía haber salido mejor.',
  verdictBare: {
    right: 'Fue la decisión acertada. Tu razón no dice por qué.',
    defensible: 'Se puede defender, pero no con lo que escribiste.',
    wrong: 'Fue la decisión equivocada, y nada de lo que escribiste habla por ella.',
  },
  heardAll: {
    right: 'Habías oído todos los datos que lo deciden.',
    defensible: 'Te habían dicho todo lo que apuntaba a una mejor.',
    wrong: 'Te habían dicho todo lo que la desaconsejaba.',
  },
  notAll: {
    right: 'Acertaste sin haber oído todos los datos que lo deciden.',
    defensible: 'Parte de lo que apuntaba a una mejor no te llegó.',
    wrong: 'Parte de lo que la desaconsejaba no te llegó.',
  },
  turning: 'El dato que pesaba',
  toTry: 'Qué probar',
  advice: {
    meet: ({ name }) => `Habla con ${name} antes de decidir.`,
    ask: ({ name }) => `Escucha a ${name} hasta el final antes de decidir. Queda algo por preguntar.`,
    use: ({ name, text, isRight }) =>
      isRight
        ? `A tu razón le falta lo que te contó ${name}: ${text} Inclúyelo, y se podrá seguir.`
        : `Pesa lo que te contó ${name} y decide otra vez.`,
    mind: ({ name, text, heard }) =>
      `Después algo salió mal: «${text}» ${name} te había contado algo que tiene que ver: ${heard} Di en tu próxima razón qué hay que hacer.`,
    find: ({ name, text }) =>
      `Después algo salió mal: «${text}» ${name} sabe qué ayuda contra eso. Pregúntale, y di en tu próxima razón qué hay que hacer.`,
    weigh: () => 'Usaste todos los datos. Compáralos entre sí y decide otra vez.',
    finish: ({ name }) => `Vuelve a hablar con ${name} y di con tus palabras qué se deduce de todo.`,
    vary: () => 'Lee cómo habrían acabado las otras opciones.',
  },
  nextIs: 'Siguiente:',

  practisedTitle: 'Lo que has practicado',
  used: ({ deciding, cited }) => `${cited} de ${deciding} usados`,
  noSkill: 'Qué más lo decide',
  tally: ({ deciding, heard, cited }) =>
    `De ${deciding} ${deciding === 1 ? 'dato decisivo' : 'datos decisivos'} oíste ${heard} y usaste ${cited}.`,
  lacksOne: (name, text) => `Le falta lo que te contó ${name}: ${text}`,
  yourReason: 'Tu razón',
  noReason: 'No diste ninguna razón.',
  yourEvidence: 'Además, nombrado o marcado',

  factsTitle: 'En qué se apoyaba',
  factState: { cited: 'Lo usaste', ignored: 'Oído, pero no usado' },
  showFact: (name) => `Ver lo que sabe ${name}`,
  missedFrom: (name, count) =>
    `${name} sabía ${count === 1 ? 'algo' : `${count} cosas`} de esto que no llegaste a oír.`,
  missedUnmet: (name, count) => `${name} sabía ${count === 1 ? 'algo' : `${count} cosas`} de esto. No hablasteis.`,
  inDocument: (name) => `En el documento de ${name}`,
  readIt: (where) => `${where}. Leerlo en la transcripción`,

  peopleTitle: 'Las conversaciones',
  rightWithout:
    'La decisión se juzga por lo que elegiste, y una conversación por si dijiste con tus palabras a qué se reducía. Así que la decisión puede ser acertada aunque una conversación no lograra su objetivo.',
  unmet: (name) => `No hablaste con ${name}.`,
  completion: {
    earned: 'Llegó a su fin y su objetivo se logró',
    forced: 'Llegó a su fin sin que se lograra su objetivo',
    none: 'Quedó abierta',
  },

  relationship: 'Cómo estaba la relación',
  chartLabel: (name) => `Cómo estaba tu relación con ${name}`,
  turn: (turn) => `Turno ${turn}`,
  choiceIn: (turn) => `Tu elección en el turno ${turn}`,
  turns: (from, to) => (from === to ? `Turno ${from}` : `Turnos ${from} a ${to}`),
  afterTurn: (turn, level) => `Tras el turno ${turn}: ${level}`,
  afterChoice: (turn, level) => `Tras tu elección en el turno ${turn}: ${level}`,
  noPoints: 'Aquí no se terminó ningún turno.',
  steady: (level) => `Entre vosotros se mantuvo así de principio a fin: ${level}.`,
  asTable: 'Cuándo cambió',
  when: 'Cuándo',
  level: 'Relación',

  accepts: (name) => `Lo que ${name} aceptaría`,
  opinion: (name) => `Lo que ${name} quería antes de hablar contigo`,

  pivotsTitle: 'Los momentos',
  youSaid: 'Dijiste',
  youCouldHave: 'Podrías haber dicho',
  inOwnWords: (card) => (card === null ? 'Una respuesta tuya.' : `Equivale a «${card}», con tus palabras.`),
  leftOpen: 'Nada de lo que dijiste coincide con una de estas.',
  again: 'Otra vez desde aquí',
  againFrom: (name, turn) => `Otra vez desde aquí, con ${name} en el turno ${turn}`,
  againWhat: 'Empieza una partida nueva en ese momento. Esta no cambia.',
  againWaits: 'Dejando la sala como estaba',
  againFailed: 'La partida nueva no ha empezado. No se ha perdido nada.',
  againGone: 'Ya no se puede volver a este momento.',
  againDecide: 'Otra vez desde la decisión',
  againDecideWhat: 'Todo lo que has oído se queda. Pregunta más o decide otra cosa. Esta partida no cambia.',
  againBegun: (name) =>
    name === null
      ? 'Ha empezado una partida nueva. En ella no hay nada decidido.'
      : `Ha empezado una partida nueva, con ${name}, donde estabas.`,

  othersTitle: 'Cómo habrían acabado las demás opciones',
  moreOptions: 'Había otra salida. No habías oído lo que hace falta.',
  otherVerdict: {
    right: 'Habría sido la decisión acertada.',
    defensible: 'Se habría podido defender.',
    wrong: 'Habría sido la decisión equivocada.',
  },

  keepTitle: 'Para guardar y enseñar',
  transcriptNote: 'Todo lo que se dijo. Se queda contigo: los archivos se crean en este navegador.',
  saveMarkdown: 'Guardar como texto',
  saveJson: 'Guardar como datos (JSON)',
  print: 'Imprimir',
  saved: (name) => `Guardado como ${name}.`,
  you: 'Tú',
  nothingSaid: 'No se dijo nada.',
  transcriptOf: (count) => `Lo que se dijo: ${count === 1 ? '1 mensaje' : `${count} mensajes`}`,

  resultNote:
    'El enlace muestra la opción, la valoración y los recuentos, y tu apodo si diste uno, pero ninguna de tus palabras. Cualquiera puede comprobar que es auténtico, y nadie puede abrir tu partida con él.',
  resultLink: 'Enlace al resultado',
  copy: 'Copiar el enlace',
  copied: 'Enlace copiado.',
  notCopied: 'No se ha podido copiar el enlace. Selecciónalo y cópialo a mano.',
  openResult: 'Ver lo que muestra',

  toLibrary: 'A las simulaciones',
  toDesk: 'Volver a la mesa',
  leave: 'Otros sitios',
  backToFact: 'Volver a donde estabas',

  paper: {
    decided: (when) => `Decidido el ${when}`,
    by: 'Por',
    inClass: 'Clase',
    role: 'Papel',
    question: 'La pregunta',
    decision: 'La decisión',
    reason: 'Razón',
    evidence: 'Pruebas',
    noEvidence: 'No se citó ninguna.',
    conversation: (name, role) => (role === '' ? `Con ${name}` : `Con ${name}, ${role}`),
    made: (version) => `Transcripción de una simulación de Walkon, versión ${version}.`,
  },
}

const result: LateTexts['result'] = {
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
  since: (when) => `Sin cambios desde el ${when}.`,
  note: 'El apodo es como quiso llamarse quien participó. Nada de esto dice quién es.',
  classNote:
    'Cualquiera puede crear una clase con cualquier nombre. Si esta partida se jugó en la tuya, está en el CSV de tu clase, en la columna «run».',
  toLibrary: 'A las simulaciones',
}

const teach: LateTexts['teach'] = {
  title: 'Jugar con una clase',
  lead: 'Recibes dos enlaces: uno para que el grupo se una y otro para ti, para ver cómo les va. Nadie necesita cuenta ni nombre; basta un apodo o un código.',
  className: 'Cómo se llama',
  classNameHint: 'El grupo lo ve al unirse.',
  classNameMissing: 'Ponle un nombre a la clase, por ejemplo «Jueves, grupo B».',
  simulation: 'Qué simulación',
  simulationMissing: 'Elige una simulación.',
  noSimulations: 'No se han podido obtener las simulaciones. Lo que escribiste no se pierde.',
  begin: 'Empezar la clase',
  beginning: 'Empezando la clase',
  failed: 'La clase no ha empezado. Lo que escribiste se conserva.',
  tooFast: 'Han sido demasiadas clases de golpe. Espera un minuto e inténtalo de nuevo. Lo que escribiste se conserva.',
  offline: 'No hubo respuesta. Lo que escribiste se conserva. Comprueba tu conexión e inténtalo de nuevo.',
  tryAgain: 'Reintentar',

  begun: (title) => `${title} ha empezado`,
  joinLink: 'Para el grupo',
  joinNote: 'Proyéctalo o repártelo. Quien lo tenga se une con un apodo.',
  scan: 'Apunta a la imagen con la cámara del móvil.',
  qr: 'Código QR del enlace del grupo',
  typeAt: 'O escribe el código en',
  code: 'Código',
  secretLink: 'Solo para ti',
  secretNote:
    'Quien tiene este enlace ve la clase. No está en ningún otro sitio y no se puede volver a dar: guárdalo antes de dejar esta página.',
  copyJoin: 'Copiar el enlace del grupo',
  copySecret: 'Copiar tu enlace',
  keep: 'Guardar tu enlace en este navegador',
  keepNote: 'No en un ordenador que usen otras personas.',
  kept: 'Guardado en este navegador.',
  notKept: 'Este navegador no guarda nada. Copia tu enlace.',
  letGo: 'Olvidarlo aquí',
  letGoOf: (title) => `Olvidar en este navegador el enlace de ${title}`,
  letGone: 'Este navegador ya no tiene el enlace.',
  open: 'Abrir la clase',
  another: 'Empezar otra clase',
  yours: 'Clases guardadas en este navegador',

  classTitle: 'La clase',
  loading: 'Abriendo la clase',
  gone: 'Este enlace no lleva a ninguna clase, o ya no.',
  goneNote: 'Comprueba que el enlace esté entero. Si lo está, ya no vale, o la clase se ha borrado.',
  notGot: 'No se ha podido obtener la clase.',
  unreachable: 'No hubo respuesta. Comprueba tu conexión e inténtalo de nuevo.',
  begunAt: (when) => `empezó el ${when}`,
  asOf: (when) => `Datos del ${when}`,
  stale: (when) => `Datos del ${when}. No se han podido actualizar; se vuelve a intentar sin que hagas nada.`,
  refresh: 'Actualizar',
  refreshed: 'La clase está al día.',

  learners: 'Por dónde van',
  learnerCount: (count) => (count === 1 ? '1 participante' : `${count} participantes`),
  decidedCount: (count, of) => (count === 1 ? `1 de ${of} ha decidido` : `${count} de ${of} han decidido`),
  nobody: 'Aún no se ha unido nadie.',
  nobodyNote: 'Aparecerán aquí en cuanto se unan.',
  nickname: 'Participante',
  where: 'Por dónde va',
  heard: 'Datos oídos',
  heardOf: (heard, deciding) => `${heard} de ${deciding}`,
  decision: 'Decisión',
  active: 'Última actividad',
  undecided: 'todavía no',
  notBegun: 'aún no ha hablado con nadie',
  talkingWith: (names) => `está hablando con ${names}`,
  doneWith: (count, of) =>
    count === 1 ? `1 conversación de ${of} terminada` : `${count} conversaciones de ${of} terminadas`,
  allDone: 'ha hablado con todo el mundo',
  verdicts: { right: 'acertada', defensible: 'defendible', wrong: 'equivocada' },

  isOpen: 'La clase está abierta.',
  openNote: 'Cualquiera que tenga el código puede unirse.',
  isClosed: 'La clase está cerrada.',
  closedNote: 'Nadie puede unirse. Quien ya se ha unido sigue jugando.',
  close: 'Cerrar la clase',
  reopen: 'Abrirla de nuevo',
  hasClosed: 'La clase está cerrada. Ya no puede unirse nadie.',
  hasReopened: 'La clase vuelve a estar abierta, con el mismo código.',
  newCode: 'Crear otro código',
  newCodeSure: '¿Crear otro código?',
  newCodeNote:
    'El código y el enlace que repartiste antes ya no dejarán entrar a nadie. Quien se ha unido sigue en la clase.',
  newCodeMade: 'La clase tiene otro código.',
  remove: 'Quitar',
  removeOf: (nickname) => `Quitar a ${nickname} de la clase`,
  removeSure: (nickname) => `¿Quitar a ${nickname} de la clase?`,
  removeNote:
    'Lo jugado sigue siendo suyo, y se puede continuar con el enlace de la partida. Desaparece de esta página para siempre: no se puede deshacer.',
  removed: (nickname) => `Se ha quitado a ${nickname}.`,
  removeIdle: (count) => `Quitar a los ${count} que no han hablado con nadie`,
  removeIdleSure: (count) => `¿Quitar a ${count} participantes de la clase?`,
  removedIdle: (count) => `Se ha quitado a ${count} participantes.`,
  notSure: 'Cancelar',
  notChanged: 'No se ha cambiado nada. Inténtalo de nuevo.',

  joined: (count) => (count === 1 ? 'Se ha unido 1' : `Se han unido ${count}`),
  wall: {
    code: 'Proyectar el código',
    choices: 'Proyectar las decisiones',
    facts: 'Proyectar los datos',
  },
  leaveWall: 'Dejar de proyectar',
  undecidedLook: (count) =>
    count === 1
      ? '1 participante aún no ha decidido. Si lo proyectas, lo verá.'
      : `${count} participantes aún no han decidido. Si lo proyectas, lo verán.`,

  missed: 'Lo que se les pasó por alto',
  missedNote: 'Los datos decisivos, y cuántos decidieron sin haberlos oído.',
  missedBy: (missed, of) => (missed === 1 ? `a 1 de ${of} se le pasó` : `a ${missed} de ${of} se les pasó`),
  heldBy: (name) => `Lo sabe ${name}.`,
  askFor: 'Una manera de preguntarlo:',
  inPaper: 'También está en el papel:',
  inTalk: 'Sale a lo largo de la conversación.',
  heardByAll: 'Lo que oyeron todos los que decidieron',

  options: 'Lo que eligieron, y por qué',
  chosenBy: (n, of) => `${n} de ${of} ${of === 1 ? 'participante' : 'participantes'}`,
  reasonsNote:
    'Las razones van sin nombre y por orden alfabético, siempre de tres en adelante. Se les avisó antes de decidir.',
  waiting: (waiting, shown) =>
    waiting > 2
      ? `Se muestran las primeras ${shown} razones.`
      : shown === 0
        ? 'Las razones se muestran cuando tres han elegido esto. Con menos, la lista de participantes diría de quién son.'
        : waiting === 1
          ? 'Otra razón espera hasta que sean tres.'
          : `Otras ${waiting} razones esperan hasta que sean tres.`,
  reasonsOf: (n) => (n === 1 ? '1 razón' : `${n} razones`),
  leaveOut: 'No proyectar esta razón',
  putBack: 'Volver a incluirla',
  showVerdicts: 'Mostrar los veredictos',
  resultsLater:
    'En cuanto alguien haya decidido, aquí se verá qué eligieron y por qué, qué datos oyeron y cuáles se les pasaron.',

  exportTitle: 'Para guardar',
  exportNote: 'Una línea por participante, para cualquier hoja de cálculo.',
  exportCsv: 'Guardar como CSV',
  exporting: 'Preparando el archivo',
  exported: (name) => `Guardado como ${name}.`,
  notExported: 'No se ha podido obtener el archivo. Inténtalo de nuevo.',
}

/** The Spanish texts of the lazily loaded screens. */
export const lateEs: LateTexts = { debrief, result, teach }
