import { nameOf } from '../log.ts'
import { NO_PROBE, type Probe, stepped, steppedAsync } from '../steps.ts'
import type { Carry } from './carry.ts'
import { messageIdOf } from './event-body.ts'
import type { Origin, OutboxEntry, Outcome } from './outbox-entry.ts'
import type { OutboxStore, Settled } from './outbox-store.ts'
import { spread } from '../spread.ts'

/**
 * The most attempts at once. The platform allows six open connections at a time; a seventh attempt would wait for a
 * connection while its timeout runs.
 */
const MAX_AT_ONCE = 6

export interface OutboxOptions {
  readonly store: OutboxStore
  readonly carry: Carry
  /**
   * How long a claim lasts, in milliseconds: longer than an attempt can take. Until it ends, no other attempt claims
   * the message.
   */
  readonly leaseMs: number
  /** Returns the conversation to which the messages belong. */
  readonly origin: () => Origin
  readonly now: () => number
  /** Called before and after every step of a delivery, in tests only. */
  readonly probe?: Probe
  /** Writes one line to the log: ids, numbers and short names, such as `delivered`. */
  readonly log: (event: string, ids: Readonly<Record<string, string | number | null>>) => void
}

/**
 * Delivers a conversation's messages at least once: the outbox claims a message, sends it, and then stores the result.
 * If the object dies before it has stored the result, it sends the message again when the claim has ended, with the
 * same id.
 */
export class Outbox {
  readonly #options: OutboxOptions
  /** The attempts that are under way, with the time at which the claim of each ends. */
  readonly #running = new Map<OutboxEntry, number>()

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /**
   * Claims due messages and begins to send them. Returns one promise for each message, which resolves when the attempt
   * has ended. The promises never reject.
   */
  deliver(): readonly Promise<void>[] {
    const { store, now, leaseMs, probe = NO_PROBE } = this.#options
    const at = now()
    const due = store.nextDue()
    if (due === null || due > at) return []
    const leaseEnd = at + leaseMs
    const claimed = stepped(probe, 'claim', () => store.claim(at, leaseEnd, MAX_AT_ONCE - this.#running.size))
    for (const entry of claimed) this.#running.set(entry, leaseEnd)
    return claimed.map((entry) => this.#attempt(entry))
  }

  /** Returns when to call `deliver` again, in milliseconds since 1970; null if no message is pending. */
  nextDue(): number | null {
    // While `MAX_AT_ONCE` attempts run, no further attempt can begin. The next attempt can begin at the latest when the
    // first claim of a running attempt ends.
    if (this.#running.size >= MAX_AT_ONCE) return Math.min(...this.#running.values())
    return this.#options.store.nextDue()
  }

  async #attempt(entry: OutboxEntry): Promise<void> {
    const { store, origin, carry, log, probe = NO_PROBE } = this.#options
    try {
      const from = origin()
      const id = await messageIdOf(from.session, entry.effect.id)
      const outcome = await steppedAsync(probe, 'deliver', async () =>
        entry.attempt > MAX_ATTEMPTS ? INTERRUPTED : await carry(from, id, entry),
      )
      const settled = this.#settledBy(outcome, id, entry.attempt)
      stepped(probe, 'settle', () => store.settle(entry, settled))
      log(`outbox-${settled.status}`, { message: id, attempt: entry.attempt, result: resultOf(outcome) })
    } catch (error) {
      // The message stays pending. When this claim has ended, another attempt claims it.
      log('outbox-broke', { attempt: entry.attempt, error: nameOf(error) })
    } finally {
      this.#running.delete(entry)
    }
  }

  #settledBy(outcome: Outcome, id: string, attempt: number): Settled {
    if (outcome.type === 'gone') return { status: 'gone', destination: outcome.destination }
    const result = resultOf(outcome)
    if (outcome.type !== 'failed') return { status: outcome.type, result }
    const delay = retryDelayMs(id, attempt, outcome.retryAfterMs)
    return delay === null ? { status: 'dead', result } : { status: 'pending', due: this.#options.now() + delay, result }
  }
}

const INTERRUPTED: Outcome = { type: 'failed', why: 'interrupted', retryAfterMs: null }

function resultOf(outcome: Outcome): string {
  return outcome.type === 'failed' ? outcome.why : outcome.type
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** How long to wait after each attempt except the last. These are the example delays of Standard Webhooks 1.0.0. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

export const MAX_ATTEMPTS = DELAYS_MS.length + 1

/**
 * Returns how long to wait before the next attempt, in milliseconds ([outbox-8], [outbox-9]); null after the last
 * attempt. The wait is up to a fifth longer than the planned wait (`DELAYS_MS`), so that messages that failed together
 * are not retried together (`spread`).
 *
 * @param message the message's id, unique over all conversations
 * @param attempt the number of the failed attempt, from 1
 * @param retryAfterMs the wait that the receiver requested; the longer of the two waits is returned
 */
export function retryDelayMs(message: string, attempt: number, retryAfterMs: number | null): number | null {
  const delay = DELAYS_MS[attempt - 1]
  if (delay === undefined) return null
  return Math.max(spread(delay, message, attempt), retryAfterMs ?? 0)
}
