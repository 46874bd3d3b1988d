import type { ConversationView, Refusal, RelationshipLevel } from '../../worker/wire/messages.ts'

/** The texts of the panel's labels and notices in one language. */
export type ConversationTexts = typeof englishTexts

const WHY: Partial<Record<string, string>> = {
  'wrong-version': 'This page is older than the service. Reload it to go on.',
  'forbidden-origin': 'This website may not open the conversation. Ask its owner to allow it.',
  'identity-required': "You're not signed in, or as somebody else. Sign in on this website, then try again.",
  'rate-limited': 'Too many conversations were opened from here. Wait a minute, then try again.',
  'not-admitted':
    'This conversation can no longer be opened from here. Your words are kept. Try again, or start a new one.',
  'needs-model': 'This conversation needs a language model, and this server has none.',
  'too-fast': 'That was quick. It goes out by itself in a moment.',
  spent: 'Enough has been said here for today. Come back tomorrow.',
}

const LEVELS: Record<RelationshipLevel, string> = {
  hostile: 'hostile',
  guarded: 'wary',
  neutral: 'neutral',
  cooperative: 'friendly',
  trusting: 'warm',
}
const toName = (name: string): string => name && ` to ${name}`
const TRY_AGAIN = 'Try again'
const START_OVER = 'Start a new conversation'
const NOT_SENT = 'Not sent. Your message is kept.'
const why = (refusal: Refusal | null | undefined): string => (refusal && WHY[refusal.code]) ?? refusal?.message ?? ''

/**
 * The English texts. They are plain, short and in the second person. An error says what happened, what was kept and
 * what to do.
 */
export const englishTexts = {
  panel: 'Conversation',
  close: 'Close',
  menu: 'Menu',
  /** The launcher's text while there are unread replies. */
  unread: (name: string, count: number): string =>
    count === 1 ? `${name} has replied` : `${count} replies from ${name}`,

  opening: 'Getting the room ready',
  tryAgain: TRY_AGAIN,
  startOver: START_OVER,
  startedOver: 'The earlier conversation is no longer here. This is a new one.',
  /** Explains why the conversation can't begin or go on, and what to do. */
  whyRefused: ({ code }: Refusal, begun: boolean): string =>
    WHY[code] ??
    (begun
      ? 'The service has ended this connection. What was said is kept.'
      : 'The conversation could not be opened. Nothing is lost.'),

  youAre: 'You are',
  meeting: (conversation: ConversationView | null) =>
    conversation ? `${conversation.npc.name}, ${conversation.npc.role}. ${conversation.scene}` : '',
  rehearsal: 'Pre-written replies, no AI. Say goodbye when you have enough.',
  model: (label: string) => `Spoken by ${label}`,

  /** A screen reader reads this label before the word for the colleague's mood. */
  mood: 'Mood: ',

  transcript: 'Transcript',
  you: 'You',
  says: (name: string) => `${name}:`,
  replying: (name: string) => `${name} is replying`,
  newMessages: 'New messages',

  /** The name of the ready-made messages that the learner can send at the beginning, and their labels. */
  openersTitle: 'To begin with',
  openers: ["Hello. What's going on?", 'What should I know?'],
  /** The name of the messages that a reply offers the learner. */
  offersTitle: 'You can say',

  sending: 'Sending',
  sent: 'Sent',
  queued: 'Waits for its turn',
  queuedAsked: 'Waits for your answer above',
  queuedOffline: 'Not sent yet. It goes out when the line is back.',
  notSent: NOT_SENT,
  edit: 'Edit',
  tooLong: (over: number) => `Too long to send: over 2,000 characters by ${over}. Nothing is cut.`,
  /**
   * The label of the button beside a failed message, which resends it, or begins a new conversation if the current
   * conversation accepts no more messages.
   */
  again: (refusal: Refusal | null | undefined): string => (refusal?.next === 'start-over' ? START_OVER : TRY_AGAIN),
  /**
   * Explains a refusal in the widget's own words if it has any for the refusal's code, or else in the service's words.
   */
  why,
  /** Explains why a message was not sent. After a reload the reason is unknown. */
  whyNot: (refusal: Refusal | null) => `${NOT_SENT} ${why(refusal)}`,

  stop: (name: string) => `Stop ${name}`,
  /** Shown if a reply's first word takes long. */
  slow: 'Still thinking. You can stop and ask again.',
  stopped: (name: string) => `You stopped ${name} here.`,
  replyFailed: (name: string) => `${name} didn't get to finish.`,

  pivot: (name: string) => `${name} wants an answer`,
  pivotHint: 'Pick one, or press its number',
  /** Shown for an answer that the learner typed. `text` is the text of the card that the answer means. */
  pivotTyped: (text: string) => `Taken as “${text}”`,
  pivotFailed: 'Not sent. Pick again.',

  objective: (title: string) => `Objective met: ${title}`,
  objectiveLabel: 'Objective met',

  closingEarned: 'What you take with you',
  closingForced: (name: string) =>
    `You haven't said yet, in your own words, what it comes to. You can still tell ${name}.`,
  closingOver: (name: string) => `That was the conversation with ${name}.`,
  askAfter: (name: string) => `You can still ask ${name}.`,
  /** The label of the button that takes a goodbye back. */
  resume: 'Wait, one more thing',
  /** Shown until the next message is sent. */
  resumed: (name: string) => `${name} is listening again.`,
  talkTo: (name: string) => `Talk to ${name}`,

  composer: (name: string): string => 'Message' + toName(name),
  /** @param isAdvised true at the beginning with pre-written replies, which answer one question better than two */
  placeholder: (name: string, isAdvised: boolean): string =>
    isAdvised ? 'One thing at a time works best' : 'Say something' + toName(name),
  send: 'Send',

  reconnecting: 'Reconnecting. Nothing is lost.',
  stillReconnecting: 'This is taking longer than it should. Your messages are kept.',
  offline: "You're offline. Your messages are kept and go out when you're back.",
  reconnected: "You're connected again.",
  reconnect: 'Try now',

  moreSentences: (count: number): string =>
    count === 1 ? 'One more sentence in the transcript.' : `${count} more sentences in the transcript.`,
  level: LEVELS,
}
