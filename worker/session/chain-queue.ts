import type { ApplyResult } from '../chain/runs/apply-events.ts'
import type { SessionEvent } from '../chain/session-events.ts'
import { nameOf } from '../log.ts'
import { NO_PROBE, type Probe, stepped, steppedAsync } from '../steps.ts'
import type { ChainQueueStore, QueuedEvents } from './chain-queue-store.ts'
import { spread } from '../spread.ts'

/** Events that are brought at once: what is written for them together stays far below what one transaction may hold. */
const MOST_AT_ONCE = 16
/** A database that has not answered for so long may never: another attempt does no harm. In milliseconds. */
const LEASE_MS = 20_000

interface ChainQueueOptions {
  readonly store: ChainQueueStore
  /** Brings events into the chain, each once however often it is brought. `from` is the number of the first. */
  readonly apply: (from: number, events: readonly SessionEvent[]) => Promise<ApplyResult>
  /** The conversation's name, which only spreads the waiting. */
  readonly session: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called before and after every step; nothing but in a build for tests. */
  readonly probe?: Probe
  /** One structured line: numbers and names of cases. */
  readonly log: (event: string, ids: Readonly<Record<string, string | number | null>>) => void
}

/**
 * Brings what has happened in a conversation into the chain, in order, for as long as it takes. Nothing is claimed before
 * it is brought: the chain itself knows what it has, so what is brought twice is there once, and an object that dies at
 * any moment brings it again.
 */
export class ChainQueue {
  readonly #options: ChainQueueOptions
  /** Until when the attempt that runs here keeps others off. */
  #lease: number | null = null
  /** Where not even a failure could be written, it must not be tried again at once. */
  #notBefore = 0
  /** The attempt that was begun last, until it ends. */
  #running: Promise<boolean> | null = null
  /** Whether the chain lacks what it had taken before what waits: its database was put back to an earlier time. */
  #isCutOff = false

  constructor(options: ChainQueueOptions) {
    this.#options = options
  }

  /** When to call `deliver`, in milliseconds since 1970; null when nothing waits. */
  nextDue(): number | null {
    const due = this.#options.store.nextDue()
    return due === null ? null : Math.max(due, this.#lease ?? 0, this.#notBefore)
  }

  /**
   * Whether something waits that the chain is to take. What lies beyond a gap may wait for ever, so nobody else is to wait for
   * that.
   */
  isBringing(): boolean {
    return this.#options.store.nextDue() !== null && !this.#isCutOff
  }

  /** Begins to bring what is due. The promise ends with the attempt, and never rejects; null when nothing is due. */
  deliver(): Promise<void> | null {
    const at = this.#options.now()
    const due = this.nextDue()
    if (due === null || due > at) return null
    const attempt = this.#begin()
    return attempt && attempt.then(() => undefined)
  }

  /**
   * Brings all that waits, due or not, after the attempt that is under way, if there is one. Ends when nothing waits any more,
   * or when an attempt was in vain. Never rejects.
   */
  async flush(): Promise<void> {
    await this.#running
    for (let goesOn = true; goesOn;) goesOn = (await this.#begin()) ?? false
  }

  /** The promise says whether something was brought, and never rejects; null when nothing waits. */
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
 * How long to wait, in milliseconds, before what the chain did not take is brought to it again: twice as long each time, up
 * to a quarter of an hour, for as long as it takes ([run-9]).
 *
 * @param attempt the one that failed, from 1
 */
export function chainRetryMs(session: string, attempt: number): number {
  return spread(Math.min(FIRST_MS * 2 ** Math.min(attempt - 1, 20), LONGEST_MS), session, attempt)
}
