import type { ConversationTexts } from './en.ts'

const WHY: Partial<Record<string, string>> = {
  'wrong-version': 'Diese Seite ist älter als der Dienst. Lade sie neu, um weiterzumachen.',
  'forbidden-origin': 'Diese Website darf das Gespräch nicht öffnen. Bitte den Betreiber, sie zuzulassen.',
  'identity-required':
    'Du bist nicht angemeldet, oder als jemand anders. Melde dich hier an und versuche es noch einmal.',
  'rate-limited': 'Von hier wurden zu viele Gespräche geöffnet. Warte eine Minute und versuche es noch einmal.',
  'not-admitted':
    'Dieses Gespräch lässt sich von hier nicht mehr öffnen. Deine Worte sind gesichert. Versuche es noch einmal oder beginne ein neues.',
  'needs-model': 'Dieses Gespräch braucht ein Sprachmodell, und dieser Server hat keines.',
  'too-fast': 'Das ging schnell. Die Nachricht geht gleich von selbst hinaus.',
  spent: 'Für heute ist hier genug gesagt. Komm morgen wieder.',
}

const startOver = 'Neues Gespräch beginnen'
const tryAgain = 'Noch einmal versuchen'
const notSent = 'Nicht gesendet. Deine Nachricht ist gesichert.'
const why: ConversationTexts['why'] = (refusal) => (refusal && WHY[refusal.code]) ?? refusal?.message ?? ''

/** The German texts. */
export const germanTexts: ConversationTexts = {
  panel: 'Gespräch',
  close: 'Schließen',
  menu: 'Menü',
  unread: (name, count) => (count === 1 ? `${name} hat geantwortet` : `${count} Antworten von ${name}`),
  opening: 'Der Raum wird vorbereitet',
  tryAgain,
  startOver,
  startedOver: 'Das frühere Gespräch gibt es nicht mehr. Dies ist ein neues.',
  whyRefused: ({ code }, begun) =>
    WHY[code] ??
    (begun
      ? 'Der Dienst hat diese Verbindung beendet. Was gesagt wurde, ist gesichert.'
      : 'Das Gespräch konnte nicht geöffnet werden. Nichts ist verloren.'),
  youAre: 'Deine Rolle:',
  meeting: (conversation) =>
    conversation ? `${conversation.npc.name}, ${conversation.npc.role}. ${conversation.scene}` : '',
  rehearsal: 'Vorgeschriebene Antworten, keine KI. Verabschiede dich, wenn du genug hast.',
  model: (label) => `Es spricht ${label}`,
  mood: 'Stimmung: ',
  transcript: 'Gesprächsverlauf',
  you: 'Du',
  says: (name) => `${name}:`,
  replying: (name) => `${name} antwortet`,
  newMessages: 'Neue Nachrichten',
  openersTitle: 'Zum Einstieg',
  openers: ['Hallo. Was ist hier los?', 'Was sollte ich wissen?'],
  offersTitle: 'Du kannst sagen',
  sending: 'Wird gesendet',
  sent: 'Gesendet',
  queued: 'Wartet, bis es an der Reihe ist',
  queuedAsked: 'Wartet auf deine Antwort oben',
  queuedOffline: 'Noch nicht gesendet. Geht hinaus, sobald die Verbindung wieder steht.',
  notSent,
  edit: 'Bearbeiten',
  tooLong: (over) => `Zu lang: ${over} Zeichen über 2.000. Nichts wird abgeschnitten.`,
  again: (refusal) => (refusal?.next === 'start-over' ? startOver : tryAgain),
  why,
  whyNot: (refusal) => `${notSent} ${why(refusal)}`,
  stop: (name) => `${name} unterbrechen`,
  slow: 'Denkt noch nach. Du kannst abbrechen und noch einmal fragen.',
  stopped: (name) => `Hier hast du ${name} unterbrochen.`,
  replyFailed: (name) => `${name} konnte nicht ausreden.`,
  pivot: (name) => `${name} möchte eine Antwort`,
  pivotHint: 'Wähle eine aus oder drücke ihre Nummer',
  pivotTyped: (text) => `Verstanden als „${text}“`,
  pivotFailed: 'Nicht gesendet. Wähle noch einmal.',
  objective: (title) => `Ziel erreicht: ${title}`,
  objectiveLabel: 'Ziel erreicht',
  closingEarned: 'Das nimmst du mit',
  closingForced: (name) =>
    `Worauf es hinausläuft, hast du noch nicht in eigenen Worten gesagt. Du kannst es ${name} noch sagen.`,
  closingOver: (name) => `Das war das Gespräch mit ${name}.`,
  askAfter: (name) => `Du kannst ${name} noch fragen.`,
  resume: 'Warte, noch etwas',
  resumed: (name) => `${name} hört wieder zu.`,
  talkTo: (name) => `Sprich mit ${name}`,
  composer: (name) => (name ? `Nachricht an ${name}` : 'Nachricht'),
  placeholder: (name, isAdvised) =>
    isAdvised ? 'Am besten eins nach dem anderen' : name ? `Sag etwas zu ${name}` : 'Sag etwas',
  send: 'Senden',
  reconnecting: 'Die Verbindung wird neu aufgebaut. Nichts geht verloren.',
  stillReconnecting: 'Das dauert länger als sonst. Deine Nachrichten sind gesichert.',
  offline: 'Du bist offline. Deine Nachrichten sind gesichert und gehen hinaus, sobald du wieder online bist.',
  reconnected: 'Die Verbindung steht wieder.',
  reconnect: 'Jetzt versuchen',
  moreSentences: (count) =>
    count === 1 ? 'Ein weiterer Satz steht im Gesprächsverlauf.' : `${count} weitere Sätze stehen im Gesprächsverlauf.`,
  level: {
    hostile: 'feindselig',
    guarded: 'zurückhaltend',
    neutral: 'neutral',
    cooperative: 'entgegenkommend',
    trusting: 'vertrauensvoll',
  },
}
