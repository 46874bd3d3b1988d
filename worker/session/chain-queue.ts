import type { ApplyResult } from '../chain/runs/apply-events.ts'
import type { SessionEvent } from '../chain/session-events.ts'
import { nameOf } from '../log.ts'
import { NO_PROBE, type Probe, stepped, steppedAsync } from '../steps.ts'
import type { ChainQueueStore, QueuedEvents } from './chain-queue-store.ts'
import { spread } from '../spread.ts'

/**
 * The most events that one attempt delivers. The writes for 16 events stay far below the database's limit for one
 * transaction.
 */
const MOST_AT_ONCE = 16
/**
 * The lease of an attempt, in milliseconds. If the database has not answered within the lease, another attempt begins.
 * The second delivery does no harm, because the chain applies each event once.
 */
const LEASE_MS = 20_000

interface ChainQueueOptions {
  readonly store: ChainQueueStore
  /** Applies events to the chain, each once even if it is delivered again. `from` is the number of the first event. */
  readonly apply: (from: number, events: readonly SessionEvent[]) => Promise<ApplyResult>
  /** Used only to spread the times of retries. */
  readonly session: string
  readonly now: () => number
  /** Called before and after every step, in test builds only. */
  readonly probe?: Probe
  readonly log: (event: string, ids: Readonly<Record<string, string | number | null>>) => void
}

/**
 * Delivers a conversation's events to the chain, in order, and retries without end. Events stay in the queue until the
 * chain has applied them. If the object dies first, the restarted object delivers the same events again, and the chain
 * applies each event once.
 */
export class ChainQueue {
  readonly #options: ChainQueueOptions
  /** When the lease of the running attempt ends, in milliseconds since 1970; null if no attempt runs. */
  #lease: number | null = null
  /**
   * The earliest time of the next attempt, in milliseconds since 1970. The store keeps this time too. This copy in
   * memory delays the next attempt even if the time could not be written to the store.
   */
  #notBefore = 0
  /** The attempt that began last, until the attempt ends; null if no attempt runs. */
  #running: Promise<boolean> | null = null
  /** True if the chain lacks events before the waiting ones, because its database was restored to an earlier time. */
  #isCutOff = false

  constructor(options: ChainQueueOptions) {
    this.#options = options
  }

  /** Returns when to call `deliver`, in milliseconds since 1970; null if no event waits. */
  nextDue(): number | null {
    const due = this.#options.store.nextDue()
    return due === null ? null : Math.max(due, this.#lease ?? 0, this.#notBefore)
  }

  /**
   * Returns true if events wait that the chain can accept. If the chain lacks earlier events, the waiting ones do not
   * count: they may wait for ever, so no caller should wait for them.
   */
  isBringing(): boolean {
    return this.#options.store.nextDue() !== null && !this.#isCutOff
  }

  /**
   * Begins to deliver the events that are due. Returns a promise that resolves when the attempt ends, and never
   * rejects; null if no event is due.
   */
  deliver(): Promise<void> | null {
    const at = this.#options.now()
    const due = this.nextDue()
    if (due === null || due > at) return null
    const attempt = this.#begin()
    return attempt && attempt.then(() => undefined)
  }

  /**
   * Delivers all waiting events, due or not, after the attempt that is under way. Resolves when no event waits any
   * more, or when an attempt has failed. Never rejects.
   */
  async flush(): Promise<void> {
    await this.#running
    for (let goesOn = true; goesOn;) goesOn = (await this.#begin()) ?? false
  }

  /**
   * Begins an attempt. Returns a promise of true if the attempt succeeds, which never rejects; null if no event waits.
   */
  #begin(): Promise<boolean> | null {
    const waiting = this.#options.store.waiting(MOST_AT_ONCE)
    if (waiting === null) return null
    const lease = this.#options.now() + LEASE_MS
    this.#lease = lease
    const attempt = this.#attempt(waiting).finally(() => {
      if (this.#lease === lease) this.#lease = null
      if (this.#running === attempt) this.#running = null
    })
    this.#running = attempt
    return attempt
  }

  async #attempt(waiting: QueuedEvents): Promise<boolean> {
    const { apply, store, now, log, probe = NO_PROBE } = this.#options
    const { from, events } = waiting
    try {
      const applied = await steppedAsync(probe, 'bring', () => apply(from, events))
      this.#isCutOff = applied.type === 'gap'
      if (applied.type === 'gap') return this.#failed(waiting, `gap after ${applied.applied}`)
      stepped(probe, 'brought', () => (applied.type === 'gone' ? store.drop() : store.settle(applied.applied, now())))
      this.#notBefore = 0
      log(`chain-${applied.type}`, { from, events: events.length })
      return true
    } catch (error) {
      return this.#failed(waiting, nameOf(error))
    }
  }

  #failed({ from, attempts }: QueuedEvents, error: string): false {
    const { store, session, now, log } = this.#options
    const due = now() + chainRetryMs(session, attempts + 1)
    this.#notBefore = due
    log('chain-not-reached', { from, attempt: attempts + 1, error })
    try {
      store.postpone(attempts + 1, due)
    } catch (failure) {
      log('chain-not-postponed', { error: nameOf(failure) })
    }
    return false
  }
}

const FIRST_MS = 1_000
const LONGEST_MS = 900_000

/**
 * Returns how long to wait before the next attempt, in milliseconds. The wait doubles each time, up to a quarter of an
 * hour, and the retries never end ([run-9]).
 *
 * @param attempt the number of the failed attempt, from 1
 */
export function chainRetryMs(session: string, attempt: number): number {
  return spread(Math.min(FIRST_MS * 2 ** Math.min(attempt - 1, 20), LONGEST_MS), session, attempt)
}
