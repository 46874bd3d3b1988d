/** The texts of an assistant's controls. */
export interface AssistantWords {
  readonly changes: (count: number, file: string) => string
  readonly take: string
  readonly leave: string
  readonly takeAll: string
  readonly leaveAll: string
  readonly taken: string
  readonly left: string
  /** Said of a change in whose place newer proposals are. */
  readonly replaced: string
  readonly changed: string
  readonly elsewhere: string
  readonly readOnly: string
  /** Said if an agent proposed changes that have no place in the text. */
  readonly refused: (count: number) => string
  /** Said if there was no answer, or the service refused. */
  readonly failed: string
  readonly asks: (agent: string, tool: string) => string
  readonly price: (cost: string | null, safety: 'low' | 'medium' | 'high') => string
  /** Said while nobody has answered the question. */
  readonly waits: string
  readonly allowOnce: string
  readonly allowHere: string
  readonly deny: string
  /** Said if a question was answered elsewhere, or too late. */
  readonly late: string
  readonly answered: Readonly<Record<'once' | 'here' | 'deny' | 'expired' | 'stopped', string>>
  readonly who: string
  readonly anyone: string
  readonly anyoneDoes: string
  /** Said while one agent answers every message. */
  readonly locked: (agent: string) => string
}

export const WORDS: Readonly<Record<string, AssistantWords>> = {
  en: {
    changes: (count, file) => (count === 1 ? `One change to ${file}` : `${count} changes to ${file}`),
    take: 'Take it',
    leave: 'Leave it',
    takeAll: 'Take all',
    leaveAll: 'Leave all',
    taken: 'Taken.',
    left: 'Left as it was.',
    replaced: 'Replaced by the newer changes below.',
    changed: 'Not taken: the text has changed there.',
    elsewhere: 'Not taken: the page does not show this text now.',
    readOnly: 'Not taken: the text may not be changed.',
    refused: (count) =>
      count === 1
        ? 'One more change had no clear place in the text.'
        : `${count} more changes had no clear place in the text.`,
    failed: 'That did not work. Nothing has changed. Try again.',
    asks: (agent, tool) => `@${agent} asks for permission: ${tool}`,
    price: (cost, safety) => `${cost === null ? '' : `Costs ${cost}. `}Risk: ${safety}.`,
    waits: 'Waits for your answer.',
    allowOnce: 'Allow once',
    allowHere: 'Allow in this conversation',
    deny: "Don't allow",
    late: 'That was answered before, or it is too late.',
    answered: {
      once: 'Allowed once.',
      here: 'Allowed in this conversation. You can take that back in the menu.',
      deny: 'Not allowed.',
      expired: 'Nobody answered in time.',
      stopped: 'Not asked any more.',
    },
    who: 'Who answers',
    anyone: 'Anyone',
    anyoneDoes: 'Each message goes to the agent that fits it',
    locked: (agent) => `Only @${agent} answers. Press it again to unlock.`,
  },
  es: {
    changes: (count, file) => (count === 1 ? `Un cambio en ${file}` : `${count} cambios en ${file}`),
    take: 'Aceptar',
    leave: 'Dejar',
    takeAll: 'Aceptar todos',
    leaveAll: 'Dejar todos',
    taken: 'Aceptado.',
    left: 'Queda como estaba.',
    replaced: 'Sustituido por los cambios más recientes de abajo.',
    changed: 'No aceptado: el texto ha cambiado ahí.',
    elsewhere: 'No aceptado: la página no muestra ahora este texto.',
    readOnly: 'No aceptado: el texto no se puede cambiar.',
    refused: (count) =>
      count === 1
        ? 'Otro cambio no tenía un lugar claro en el texto.'
        : `Otros ${count} cambios no tenían un lugar claro en el texto.`,
    failed: 'No ha funcionado. No ha cambiado nada. Inténtalo otra vez.',
    asks: (agent, tool) => `@${agent} pide permiso: ${tool}`,
    price: (cost, safety) =>
      `${cost === null ? '' : `Cuesta ${cost}. `}Riesgo: ${{ low: 'bajo', medium: 'medio', high: 'alto' }[safety]}.`,
    waits: 'Espera tu respuesta.',
    allowOnce: 'Permitir una vez',
    allowHere: 'Permitir en esta conversación',
    deny: 'No permitir',
    late: 'Ya se respondió, o es demasiado tarde.',
    answered: {
      once: 'Permitido una vez.',
      here: 'Permitido en esta conversación. Puedes retirarlo en el menú.',
      deny: 'No permitido.',
      expired: 'Nadie respondió a tiempo.',
      stopped: 'Ya no se pregunta.',
    },
    who: 'Quién responde',
    anyone: 'Cualquiera',
    anyoneDoes: 'Cada mensaje va al agente que corresponde',
    locked: (agent) => `Solo responde @${agent}. Púlsalo otra vez para cambiarlo.`,
  },
  de: {
    changes: (count, file) => (count === 1 ? `Eine Änderung an ${file}` : `${count} Änderungen an ${file}`),
    take: 'Übernehmen',
    leave: 'Lassen',
    takeAll: 'Alle übernehmen',
    leaveAll: 'Alle lassen',
    taken: 'Übernommen.',
    left: 'Bleibt, wie es war.',
    replaced: 'Ersetzt durch die neueren Änderungen unten.',
    changed: 'Nicht übernommen: Der Text hat sich dort geändert.',
    elsewhere: 'Nicht übernommen: Die Seite zeigt diesen Text gerade nicht.',
    readOnly: 'Nicht übernommen: Der Text darf nicht geändert werden.',
    refused: (count) =>
      count === 1
        ? 'Eine weitere Änderung hatte keine eindeutige Stelle im Text.'
        : `${count} weitere Änderungen hatten keine eindeutige Stelle im Text.`,
    failed: 'Das hat nicht geklappt. Nichts ist verändert. Versuche es noch einmal.',
    asks: (agent, tool) => `@${agent} bittet um Erlaubnis: ${tool}`,
    price: (cost, safety) =>
      `${cost === null ? '' : `Kostet ${cost}. `}Risiko: ${{ low: 'gering', medium: 'mittel', high: 'hoch' }[safety]}.`,
    waits: 'Wartet auf deine Antwort.',
    allowOnce: 'Einmal erlauben',
    allowHere: 'In diesem Gespräch erlauben',
    deny: 'Nicht erlauben',
    late: 'Das wurde schon beantwortet, oder es ist zu spät.',
    answered: {
      once: 'Einmal erlaubt.',
      here: 'In diesem Gespräch erlaubt. Im Menü kannst du das zurücknehmen.',
      deny: 'Nicht erlaubt.',
      expired: 'Niemand hat rechtzeitig geantwortet.',
      stopped: 'Hat sich erledigt.',
    },
    who: 'Wer antwortet',
    anyone: 'Wer passt',
    anyoneDoes: 'Jede Nachricht geht an den Agenten, der passt',
    locked: (agent) => `Nur @${agent} antwortet. Noch einmal drücken löst das.`,
  },
  ar: {
    changes: (count, file) => `${count} تعديلات على ${file}`,
    take: 'قبول',
    leave: 'ترك',
    takeAll: 'قبول الكل',
    leaveAll: 'ترك الكل',
    taken: 'قُبل.',
    left: 'بقي كما كان.',
    replaced: 'حلّت محله التعديلات الأحدث أدناه.',
    changed: 'لم يُقبل: تغيّر النص هناك.',
    elsewhere: 'لم يُقبل: لا تعرض الصفحة هذا النص الآن.',
    readOnly: 'لم يُقبل: لا يجوز تغيير النص.',
    refused: (count) => `تعديلات أخرى بلا موضع واضح في النص: ${count}`,
    failed: 'لم ينجح ذلك. لم يتغير شيء. حاول مرة أخرى.',
    asks: (agent, tool) => `@${agent} يطلب الإذن: ${tool}`,
    price: (cost, safety) =>
      `${cost === null ? '' : `التكلفة: ${cost}. `}الخطر: ${{ low: 'منخفض', medium: 'متوسط', high: 'مرتفع' }[safety]}.`,
    waits: 'بانتظار إجابتك.',
    allowOnce: 'السماح مرة واحدة',
    allowHere: 'السماح في هذه المحادثة',
    deny: 'عدم السماح',
    late: 'أُجيب عن هذا من قبل، أو فات الأوان.',
    answered: {
      once: 'سُمح مرة واحدة.',
      here: 'سُمح في هذه المحادثة. يمكنك سحب ذلك من القائمة.',
      deny: 'لم يُسمح.',
      expired: 'لم يجب أحد في الوقت المناسب.',
      stopped: 'لم يعد السؤال قائمًا.',
    },
    who: 'من يجيب',
    anyone: 'الأنسب',
    anyoneDoes: 'كل رسالة تذهب إلى الوكيل الأنسب',
    locked: (agent) => `لا يجيب إلا @${agent}. اضغط مرة أخرى للإلغاء.`,
  },
}
