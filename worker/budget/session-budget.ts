import { ActorError } from '../actor/actor.ts'
import { inTime } from '../clock.ts'
import type { RefusalCode } from '../wire/messages.ts'
import { afterCall, pauseLeft, type Standing } from './breaker.ts'
import type { BudgetConfig } from './budget-config.ts'
import type { Ledgers, Reservation, Reserved } from './ledgers.ts'
import type { Purse } from './metered-actor.ts'
import type { SpendingStore } from './spending-store.ts'
import { NO_TOKENS, type Tokens, totalOf } from './tokens.ts'

/** Why no turn may begin now. */
export interface OverBudget {
  readonly code: Extract<RefusalCode, 'too-many-turns' | 'too-fast' | 'spent' | 'unavailable'>
  /** Milliseconds until a turn may begin; undefined if no turn may ever begin again. */
  readonly retryAfterMs: number | undefined
}

export interface SessionBudgetOptions {
  readonly store: SpendingStore
  readonly limits: BudgetConfig
  /** Null if the deployment sets no limit for several conversations together. Then no ledger is needed. */
  readonly ledgers: Ledgers | null
  readonly now: () => number
  readonly after: (ms: number, task: () => void) => () => void
  /** Keeps the Durable Object alive until the work is done. */
  readonly keep: (work: Promise<unknown>) => void
  readonly log: (event: string, ids: Readonly<Record<string, string | number | null>>) => void
}

/**
 * How long to wait for a ledger's answer, in milliseconds. If no answer comes in this time, the call to the model is
 * not made.
 */
const LEDGER_MS = 10_000

/**
 * Enforces the limits of one conversation: turns in a minute, turns in all, tokens and money. `SpendingStore` counts
 * the conversation's own turns and tokens. Ledgers count what all conversations of a learner, or of the deployment, use
 * together.
 */
export class SessionBudget implements Purse {
  readonly #options: SessionBudgetOptions
  /** Resolves when earlier calls are settled in the ledgers. The next reservation waits for this. */
  #settling: Promise<unknown> = Promise.resolve()

  constructor(options: SessionBudgetOptions) {
    this.#options = options
  }

  /**
   * Returns why no turn may begin now, or null if a turn may begin.
   *
   * @param attempts the number of attempts at all turns so far
   */
  refusal(attempts: number): OverBudget | null {
    const { limits, store, now } = this.#options
    const at = now()
    const { begun, full, spent, tokens } = store.read()
    const isFull = tokens >= limits.tokensSession || full === limits.tokensSession
    if (attempts >= limits.turnsSession || isFull) return { code: 'too-many-turns', retryAfterMs: undefined }
    if (spent && spent.until > at && spent.limits === limitsOf(limits))
      return { code: spent.isOver ? 'spent' : 'unavailable', retryAfterMs: spent.until - at }
    const known = noneAhead(begun, at)
    if (known !== begun) store.change(() => ({ begun: known }))
    const wait = waitFor(known, limits.turnsMinute, at)
    return wait === 0 ? null : { code: 'too-fast', retryAfterMs: wait }
  }

  /** Records that a turn begins now. */
  turnBegins(): void {
    const { limits, store, now } = this.#options
    store.change(({ begun }) => ({ begun: withTurn(begun, limits.turnsMinute, now()) }))
  }

  async reserve(most: Tokens, signal: AbortSignal): ReturnType<Purse['reserve']> {
    this.#mayCall(most)
    // The reserved tokens count as used from now on, even if the object dies before the call ends.
    this.#options.store.change(({ tokens }) => ({ tokens: tokens + totalOf(most) }))
    const reservation = await this.#inLedgers(most, signal)
    let isSettled = false
    return {
      settle: (charge, standing) => {
        if (isSettled) return
        isSettled = true
        this.#settleHere(most, charge, standing)
        this.#settleIn(reservation, charge)
      },
    }
  }

  /**
   * @throws ActorError if the circuit breaker pauses calls, or the conversation's own tokens do not suffice
   */
  #mayCall(most: Tokens): void {
    const { limits, store, now, log } = this.#options
    const { breaker, tokens } = store.read()
    const pause = pauseLeft(breaker, now())
    if (pause > 0) throw new ActorError('paused', null, pause)
    if (tokens + totalOf(most) <= limits.tokensSession) return
    store.change(() => ({ full: limits.tokensSession }))
    log('budget-full', { tokens })
    throw new ActorError('spent')
  }

  async #inLedgers(most: Tokens, signal: AbortSignal): Promise<Reservation | null> {
    const { ledgers, store, limits, now, log } = this.#options
    if (ledgers === null) return null
    const asked = this.#settling.then(() => ledgers.reserve(most))
    const reserved = await this.#answerTo(asked, signal)
    if (reserved !== 'none' && reserved.ok) return reserved.reservation
    this.#settle(most, NO_TOKENS, UNKNOWN)
    if (reserved === 'none') {
      // The call is not made. If the ledgers still make the reservation later, it is released.
      this.#options.keep(asked.then((late) => (late.ok ? late.reservation.settle(NO_TOKENS) : undefined)).catch(ignore))
      log('ledger-missed', {})
      throw new ActorError(signal.aborted ? 'aborted' : 'unaccounted')
    }
    const { until, isOver } = reserved
    store.change(() => ({ spent: { until, isOver, limits: limitsOf(limits) } }))
    log('budget-spent', { until })
    throw new ActorError('spent', null, Math.max(0, until - now()))
  }

  async #answerTo(asked: Promise<Reserved>, signal: AbortSignal): Promise<Reserved | 'none'> {
    const given = Promise.withResolvers<'none'>()
    const giveUp = () => given.resolve('none')
    const callOff = this.#options.after(LEDGER_MS, giveUp)
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    try {
      return await Promise.race([asked.catch(() => 'none' as const), given.promise])
    } finally {
      callOff()
      signal.removeEventListener('abort', giveUp)
    }
  }

  /**
   * Replaces the reservation in the conversation's own store by what the call used. If the write fails, the learner
   * still gets the reply, and the reserved tokens stay counted as used ([budget-8]).
   */
  #settleHere(most: Tokens, charge: Tokens, standing: Standing): void {
    try {
      this.#settle(most, charge, standing)
    } catch {
      this.#options.log('spending-not-kept', {})
    }
  }

  #settle(most: Tokens, charge: Tokens, standing: Standing): void {
    const { store, now } = this.#options
    store.change(({ tokens, breaker }) => ({
      tokens: tokens - totalOf(most) + totalOf(charge),
      breaker: afterCall(breaker, standing, now()),
    }))
  }

  /**
   * Replaces the reservation in the ledgers by what the call used. The end of the reply does not wait for the ledgers.
   * If a ledger cannot be reached, the reservation expires and counts as used.
   */
  #settleIn(reservation: Reservation | null, charge: Tokens): void {
    if (reservation === null) return
    const settled = reservation.settle(charge).catch(() => this.#options.log('ledger-missed', {}))
    this.#options.keep(settled)
    this.#settling = inTime(settled, LEDGER_MS, ignore, this.#options)
  }
}

const UNKNOWN: Standing = { type: 'unknown' }

/**
 * Returns the limits that ledgers check, as a text. If the text has changed since a ledger refused a call, ledgers may
 * be called again at once.
 */
function limitsOf({ money, tokensLearnerDay }: BudgetConfig): string {
  return JSON.stringify([money, tokensLearnerDay])
}

function ignore(): void {}

const MINUTE_MS = 60_000

/**
 * Returns how long until another turn may begin, in milliseconds, so that at most `limit` turns begin within any sixty
 * seconds; 0 if a turn may begin now.
 *
 * @param begun when turns began, oldest first and none later than now, in milliseconds since 1970
 */
export function waitFor(begun: readonly number[], limit: number, now: number): number {
  const blocking = begun.at(-limit)
  return blocking === undefined ? 0 : Math.max(0, blocking + MINUTE_MS - now)
}

/**
 * Returns the start times of turns, with `now` in place of any later time. If the clock was set back, earlier turns
 * seem to have begun in the future. Without this correction, the learner would have to wait for that future time.
 */
export function noneAhead(begun: readonly number[], now: number): readonly number[] {
  return begun.some((at) => at > now) ? begun.map((at) => Math.min(at, now)) : begun
}

/**
 * Returns the start times of the latest turns, with a turn that begins now. Only those that `waitFor` needs are
 * returned.
 */
export function withTurn(begun: readonly number[], limit: number, now: number): readonly number[] {
  return [...noneAhead(begun, now).filter((at) => at > now - MINUTE_MS), now].slice(-limit)
}
