import type { Acknowledgement, Refusal } from '../worker/wire/messages.ts'

/** A message that a learner sends, with the name of its event. */
export type OutboxMessage =
  /** `resume`: takes back the goodbye that ended the conversation. */
  | { readonly name: 'say'; readonly text: string; readonly resume?: true }
  | { readonly name: 'choose'; readonly pivot: string; readonly choice: string }
  | { readonly name: 'retry'; readonly turn: number }

/**
 * `sent`: the server has stored the message. `failed`: the server refused the message, and the learner has to decide
 * what to do.
 */
export type OutboxState = 'queued' | 'sending' | 'sent' | 'failed'

export interface MessageEntry {
  readonly cid: string
  readonly message: OutboxMessage
  readonly state: OutboxState
  /** The server's last refusal of this message. */
  readonly refusal: Refusal | null
  /** The number of refusals and missing answers so far. Each of them doubles the wait before the next attempt. */
  readonly tries: number
  /** The earliest time to send the message, in milliseconds since 1970. */
  readonly notBefore: number
}

export interface MessageOutbox {
  /** Whether the server has sent `hello` on this connection. */
  readonly linked: boolean
  readonly entries: readonly MessageEntry[]
}

export type OutboxEvent =
  /** `held`: the server refused the message before a reload, and the learner still has to decide what to do. */
  | { readonly type: 'add'; readonly cid: string; readonly message: OutboxMessage; readonly held?: boolean }
  | { readonly type: 'link'; readonly up: boolean }
  | { readonly type: 'acknowledged'; readonly cid: string; readonly acknowledgement: Acknowledgement }
  /** No acknowledgement came in time, or the connection broke. */
  | { readonly type: 'unanswered'; readonly cid: string }
  | { readonly type: 'tick' }
  /** A reply ended or the network came back, so the queued messages can be sent without further waiting. */
  | { readonly type: 'hurry' }
  | { readonly type: 'again'; readonly cid: string }
  | { readonly type: 'drop'; readonly cid: string }
  /** The log contains the messages with these `cids`. */
  | { readonly type: 'logged'; readonly cids: readonly string[] }
  /** A new conversation replaces a conversation that the service no longer accepts. */
  | { readonly type: 'started-over' }

export interface OutboxStep {
  readonly outbox: MessageOutbox
  /** The message to emit now. An entry keeps its `cid` and its message in every attempt. */
  readonly send: MessageEntry | null
  /**
   * The time in milliseconds after which a `tick` can send a message. Null if no `tick` can, but only another event,
   * such as `link`.
   */
  readonly wakeIn: number | null
}

/** The longest message that the service accepts, in UTF-16 code units ([message-12]). */
export const LONGEST_SAY = 2_000

export const EMPTY_OUTBOX: MessageOutbox = { linked: false, entries: [] }

const FIRST_WAIT = 1_000
const LONGEST_WAIT = 30_000

/**
 * Decides which message the widget sends, and when. The outbox sends one message at a time, in the order in which the
 * learner wrote them. A message keeps its `cid` (the id that the browser gave it) in every attempt, so that the server
 * can process it exactly once ([embed-20] to [embed-24]).
 *
 * @param now milliseconds since 1970
 */
export function stepOutbox(before: MessageOutbox, event: OutboxEvent, now: number): OutboxStep {
  const outbox = reduce(before, event, now)
  const next = outbox.entries.find(({ state }) => state === 'queued')
  const free = outbox.linked && !outbox.entries.some(({ state }) => state === 'sending')
  if (!next || !free) return { outbox, send: null, wakeIn: null }
  if (next.notBefore > now) return { outbox, send: null, wakeIn: next.notBefore - now }
  const send: MessageEntry = { ...next, state: 'sending' }
  return { outbox: replace(outbox, next.cid, () => send), send, wakeIn: null }
}

function reduce(outbox: MessageOutbox, event: OutboxEvent, now: number): MessageOutbox {
  switch (event.type) {
    case 'add':
      return has(outbox, event.cid) ? outbox : { ...outbox, entries: [...outbox.entries, fresh(event)] }
    case 'link':
      return { linked: event.up, entries: event.up ? outbox.entries : outbox.entries.map(requeue) }
    case 'acknowledged':
      return acknowledged(outbox, event, now)
    case 'unanswered':
      return replace(outbox, event.cid, (entry) => (entry.state === 'sending' ? later(entry, null, now) : entry))
    case 'tick':
      return outbox
    case 'hurry':
      return { ...outbox, entries: outbox.entries.map((entry) => ({ ...entry, notBefore: 0 })) }
    case 'again':
      return replace(outbox, event.cid, (entry) =>
        entry.state === 'failed' ? { ...entry, state: 'queued', refusal: null, tries: 0, notBefore: 0 } : entry,
      )
    case 'drop':
      return { ...outbox, entries: outbox.entries.filter(({ cid, state }) => cid !== event.cid || state === 'sending') }
    case 'logged':
      return { ...outbox, entries: outbox.entries.filter(({ cid }) => !event.cids.includes(cid)) }
    case 'started-over':
      return { linked: false, entries: outbox.entries.filter(isSpeech).map((entry) => fail(entry, null)) }
  }
}

function fresh({ cid, message, held }: Extract<OutboxEvent, { type: 'add' }>): MessageEntry {
  return { cid, message, state: held ? 'failed' : 'queued', refusal: null, tries: 0, notBefore: 0 }
}

/**
 * Applies an acknowledgement. An accepted `retry` leaves the outbox at once, because the log never contains its `cid`.
 * So, if the reply fails again, the learner can retry once more.
 */
function acknowledged(
  outbox: MessageOutbox,
  { cid, acknowledgement }: Extract<OutboxEvent, { type: 'acknowledged' }>,
  now: number,
): MessageOutbox {
  const { linked, entries } = replace(outbox, cid, (entry) => answered(entry, acknowledgement, now))
  return { linked, entries: entries.filter(({ message, state }) => message.name !== 'retry' || state !== 'sent') }
}

function answered(entry: MessageEntry, answer: Acknowledgement, now: number): MessageEntry {
  if (answer.ok) return { ...entry, state: 'sent', refusal: null }
  // Ignores the late refusal of an earlier attempt: the message is queued for the next attempt.
  if (entry.state !== 'sending') return entry
  // A spent budget does not return soon, so the outbox waits for the learner to send the message again.
  return answer.next === 'retry-after' && answer.code !== 'spent' ? later(entry, answer, now) : fail(entry, answer)
}

function later(entry: MessageEntry, refusal: Refusal | null, now: number): MessageEntry {
  const wait = refusal?.retryAfterMs ?? FIRST_WAIT * 2 ** entry.tries
  const bounded = Math.min(Math.max(wait, 0), LONGEST_WAIT)
  return { ...entry, state: 'queued', refusal, tries: entry.tries + 1, notBefore: now + bounded }
}

function fail(entry: MessageEntry, refusal: Refusal | null): MessageEntry {
  return { ...entry, state: 'failed', refusal }
}

/** Queues a message again that was in flight when the connection broke. The message keeps its `cid`. */
function requeue(entry: MessageEntry): MessageEntry {
  return entry.state === 'sending' ? { ...entry, state: 'queued' } : entry
}

/**
 * Returns true for a message that the next conversation keeps. Answers to pivots, retries and sent messages belong to
 * the old conversation.
 */
function isSpeech({ message, state }: MessageEntry): boolean {
  return message.name === 'say' && state !== 'sent'
}

function has(outbox: MessageOutbox, cid: string): boolean {
  return outbox.entries.some((entry) => entry.cid === cid)
}

function replace(outbox: MessageOutbox, cid: string, change: (entry: MessageEntry) => MessageEntry): MessageOutbox {
  return { ...outbox, entries: outbox.entries.map((entry) => (entry.cid === cid ? change(entry) : entry)) }
}
