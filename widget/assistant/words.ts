/** The texts of an assistant's controls. */
export interface AssistantWords {
  readonly changes: (count: number, file: string) => string
  readonly take: string
  readonly leave: string
  readonly takeAll: string
  readonly leaveAll: string
  readonly taken: string
  readonly left: string
  readonly changed: string
  readonly who: string
  readonly anyone: string
  readonly anyoneDoes: string
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
    changed: 'Not taken: the text has changed there.',
    who: 'Who answers',
    anyone: 'Whoever fits',
    anyoneDoes: 'Each message goes to the agent that fits it',
  },
  es: {
    changes: (count, file) => (count === 1 ? `Un cambio en ${file}` : `${count} cambios en ${file}`),
    take: 'Aceptar',
    leave: 'Dejar',
    takeAll: 'Aceptar todos',
    leaveAll: 'Dejar todos',
    taken: 'Aceptado.',
    left: 'Queda como estaba.',
    changed: 'No aceptado: el texto ha cambiado ahí.',
    who: 'Quién responde',
    anyone: 'Quien corresponda',
    anyoneDoes: 'Cada mensaje va al agente que corresponde',
  },
  de: {
    changes: (count, file) => (count === 1 ? `Eine Änderung an ${file}` : `${count} Änderungen an ${file}`),
    take: 'Übernehmen',
    leave: 'Lassen',
    takeAll: 'Alle übernehmen',
    leaveAll: 'Alle lassen',
    taken: 'Übernommen.',
    left: 'Bleibt, wie es war.',
    changed: 'Nicht übernommen: Der Text hat sich dort geändert.',
    who: 'Wer antwortet',
    anyone: 'Wer passt',
    anyoneDoes: 'Jede Nachricht geht an den Agenten, der passt',
  },
  ar: {
    changes: (count, file) => `${count} تعديلات على ${file}`,
    take: 'قبول',
    leave: 'ترك',
    takeAll: 'قبول الكل',
    leaveAll: 'ترك الكل',
    taken: 'قُبل.',
    left: 'بقي كما كان.',
    changed: 'لم يُقبل: تغيّر النص هناك.',
    who: 'من يجيب',
    anyone: 'الأنسب',
    anyoneDoes: 'كل رسالة تذهب إلى الوكيل الأنسب',
  },
}
