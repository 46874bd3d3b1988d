import type { LogRecord } from '../core/walk/log-record.ts'
import type { ConversationCopy } from './conversation-copy.ts'
import type { NewEvent } from '../wire/messages.ts'

/** What the end of one turn came to, or one choice. */
export interface PastEnd {
  /** The number of its last event. */
  readonly seq: number
  readonly at: number
  readonly events: readonly NewEvent[]
  readonly records: readonly LogRecord[]
}

/** Everything that a copied conversation has come to, as it was written at the time: end by end, oldest first. */
export function happenedIn({ events, records }: ConversationCopy): readonly PastEnd[] {
  const all: PastEnd[] = []
  let before = 0
  for (const { seq, at, walk } of events) {
    // An end is what carries a walk.
    if (walk === null) continue
    const from = before
    before = seq
    all.push({
      seq,
      at,
      events: events
        .filter((event) => event.seq > from && event.seq <= seq)
        .map(({ body }) => JSON.parse(body) as NewEvent)
        .filter(({ type }) => type !== 'turn-start'),
      records: records.filter((row) => row.seq === seq).flatMap(({ body }) => JSON.parse(body) as readonly LogRecord[]),
    })
  }
  return all
}
