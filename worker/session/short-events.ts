import { hashOf } from '../wire/text-hash.ts'
import type { ConfirmedTurn, Delta, LogEvent, ShortDelta } from '../wire/messages.ts'
import type { LiveReply } from './live-reply.ts'

/** A message in short, as it is sent to clients that connected with `short`. */
export type ShortMessage =
  | { readonly name: 'd'; readonly body: ShortDelta }
  | { readonly name: 'turn'; readonly body: ConfirmedTurn }

export function shortDelta({ turn, attempt, offset, text }: Delta): ShortMessage {
  return { name: 'd', body: [turn, attempt, offset, text] }
}

/**
 * Returns the short form of the event that ends a reply, if the reply's final text is what was streamed; otherwise
 * null. A client that missed a piece notices it by the length and the hash, and asks for the event.
 *
 * @param live the reply that is being spoken
 */
export function shortEvent(event: LogEvent, live: LiveReply | null): ShortMessage | null {
  if (event.type !== 'turn' || event.turn !== live?.turn || event.attempt !== live.attempt) return null
  const { text, ...rest } = event
  return text === live.text ? { name: 'turn', body: { ...rest, length: text.length, hash: hashOf(text) } } : null
}
