import type { ConversationView, Refusal } from '../worker/wire/messages.ts'

/**
 * Every word the widget says itself. One export a phrase, so that the launcher carries only the few it shows. Plain,
 * short, second person; an error says what happened, what was kept and what to do.
 */

export const launcher = (name: string) => (name ? `Talk to ${name}` : 'Talk it through')
export const launcherUnread = (name: string) => `${name} has replied`
export const launcherFailed = 'The chat could not be loaded. Try again.'

export const panel = 'Conversation'
export const close = 'Close'

export const opening = 'Getting the room ready'
export const tryAgain = 'Try again'
export const startOver = 'Start a new conversation'
export const startedOver = 'The earlier conversation is no longer here. This is a new one.'
/** Why there is no conversation, or no more of one, and what to do. */
export const whyRefused = ({ code }: Refusal, begun: boolean) =>
  WHY[code] ??
  (begun
    ? 'The service has ended this connection. What was said is kept.'
    : 'The conversation could not be opened. Nothing is lost.')
const WHY: Partial<Record<string, string>> = {
  'wrong-version': 'This page is older than the service. Reload it to go on.',
  'forbidden-origin': 'This website may not open the conversation. Whoever runs it can change that.',
  'identity-required': 'You’re not signed in, or as somebody else. Sign in on this website, then try again.',
  'rate-limited': 'Too many conversations were opened from here. Wait a minute, then try again.',
  'not-admitted':
    'This conversation can no longer be opened from here. Your words are kept. Try again, or start a new one.',
  'too-fast': 'That was quick. It goes out by itself in a moment.',
  spent: 'Enough has been said here for today. Come back tomorrow.',
}

export const youAre = 'You are'
/** Who is there, for those who cannot see it. */
export const meeting = (conversation: ConversationView | null) =>
  conversation ? `${conversation.npc.name}, ${conversation.npc.role}. ${conversation.scene}` : ''
export const rehearsal = 'Rehearsal actor: scripted lines, no language model'
export const model = (label: string) => `Spoken by ${label}`

/** Stands before the level, which is its own word. */
export const mood = 'Mood: '

export const transcript = 'Transcript'
export const you = 'You'
export const says = (name: string) => `${name}:`
export const replying = (name: string) => `${name} is replying`
export const newMessages = 'New messages'

export const sending = 'Sending'
export const sent = 'Sent'
export const queued = 'Waits for its turn'
export const queuedOffline = 'Not sent yet. It goes out when the line is back.'
export const notSent = 'Not sent. Your message is kept.'
export const edit = 'Edit'
export const tooLong = (over: number) => `Too long to send: over 2,000 characters by ${over}. Nothing is cut.`
/** What the button does about it: a conversation that has grown too long takes nothing more. */
export const again = (refusal: Refusal | null | undefined) => (refusal?.next === 'start-over' ? startOver : tryAgain)
/** In ours or else in the service's words. */
export const why = (refusal: Refusal | null | undefined) => (refusal && WHY[refusal.code]) ?? refusal?.message ?? ''
/** Why a message stays here. After a reload that is not known any more. */
export const whyNot = (refusal: Refusal | null) => `${notSent} ${why(refusal)}`

export const stop = (name: string) => `Stop ${name}`
export const stopped = (name: string) => `You stopped ${name} here.`
export const replyFailed = (name: string) => `${name} didn’t get to finish.`

export const pivot = (name: string) => `${name} wants an answer`
export const pivotHint = 'Pick one, or press its number'
export const pivotPassed = 'The moment passed without an answer.'
export const pivotFailed = 'Not sent. Pick again.'

export const objective = (title: string) => `Objective met: ${title}`
export const objectiveLabel = 'Objective met'

export const closingEarned = 'What you take with you'
export const closingForced = (name: string) => `${name} had to go. Some of it was left unsaid.`
export const closingOver = (name: string) => `That was the conversation with ${name}.`
export const nextTitle = 'Who is next'
export const talkTo = (name: string) => `Talk to ${name}`

export const composer = (name: string) => (name ? `Message to ${name}` : 'Message')
export const placeholder = (name: string) => (name ? `Say something to ${name}` : 'Say something')
export const send = 'Send'

export const reconnecting = 'Reconnecting. Nothing is lost.'
export const stillReconnecting = 'This is taking longer than it should. Your messages are kept.'
export const offline = 'You’re offline. Your messages are kept and go out when you’re back.'
export const reconnected = 'You’re connected again.'
export const reconnect = 'Try now'

export const moreSentences = (count: number) =>
  count === 1 ? 'One more sentence in the transcript.' : `${count} more sentences in the transcript.`

/** "Maya Patel" in a button is "Maya". */
export const firstName = (name: string) => name.replace(/ .*/, '')
