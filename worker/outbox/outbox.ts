import { nameOf } from '../log.ts'
import { NO_PROBE, type Probe, stepped, steppedAsync } from '../steps.ts'
import type { Carry } from './carry.ts'
import { messageIdOf } from './event-body.ts'
import type { Origin, OutboxEntry, Outcome } from './outbox-entry.ts'
import type { OutboxStore, Settled } from './outbox-store.ts'
import { spread } from '../spread.ts'

/**
 * The most attempts at once. The platform allows one request six open connections; a seventh attempt would wait for a
 * connection while its timeout runs.
 */
const MAX_AT_ONCE = 6

export interface OutboxOptions {
  readonly store: OutboxStore
  readonly carry: Carry
  /**
   * The lease of an attempt, in milliseconds: longer than an attempt can take. Until the lease ends, no other attempt
   * claims the message.
   */
  readonly leaseMs: number
  /**
   * Returns the conversation to which the messages belong. The outbox calls this function only when a message is due.
   */
  readonly origin: () => Origin
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number
  /** Called before and after every step of a delivery, in test builds only. */
  readonly probe?: Probe
  /** Writes one structured log line of ids, numbers and short names, such as `delivered`. */
  readonly log: (event: string, ids: Readonly<Record<string, string | number | null>>) => void
}

/**
 * Delivers a conversation's messages at least once: the outbox claims a message, sends it, and then stores the result.
 * If the object dies before the result is stored, the message is sent again, under the same id, when the attempt's
 * lease has ended.
 */
export class Outbox {
  readonly #options: OutboxOptions
  /** The attempts that this instance is running: the end of the lease of each, by the attempt's entry. */
  readonly #running = new Map<OutboxEntry, number>()

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /** Claims due messages and begins to send them. Each promise resolves when its attempt ends, and never rejects. */
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
    // While `MAX_AT_ONCE` attempts run, another attempt can begin only when a running attempt ends or its lease is
    // over.
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
      // The message is claimed again when the attempt's lease has ended.
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

/** How long to wait after each attempt except the last: the example schedule of Standard Webhooks 1.0.0. */
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
 * attempt. The jitter is derived from the message and the attempt, so the same failure is always followed by the same
 * wait.
 *
 * @param message the message's id, unique over all conversations
 * @param attempt the number of the failed attempt, from 1
 * @param retryAfterMs the wait that the receiver requested; the longer of this wait and the planned wait is returned
 */
export function retryDelayMs(message: string, attempt: number, retryAfterMs: number | null): number | null {
  const delay = DELAYS_MS[attempt - 1]
  if (delay === undefined) return null
  return Math.max(spread(delay, message, attempt), retryAfterMs ?? 0)
}
