/** The state of a circuit breaker: how many calls in a row the provider refused, and until when calls pause. */
export interface Breaker {
  readonly faults: number
  /** End of the pause, in milliseconds since 1970; 0 while calls are allowed. */
  readonly until: number
}

/**
 * What one call shows about the provider. `answered`: the provider answered. `turned-away`: the provider refused the
 * call (invalid key, no credit, quota used up). `unknown`: neither is known, for example because the connection broke.
 */
export type Standing =
  | { readonly type: 'answered' }
  | { readonly type: 'turned-away'; readonly retryAfterMs: number | null }
  | { readonly type: 'unknown' }

export const CLOSED: Breaker = { faults: 0, until: 0 }

/**
 * Number of refusals in a row that pause the calls. One or two refusals pause nothing, so that a learner's retry can
 * succeed.
 */
const FAULTS = 3
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 600_000

/**
 * Returns the breaker's state after a call. A conversation never makes two calls at once, so after a pause a single
 * call shows whether the provider still refuses. If the provider answers, calls are allowed again. If the provider
 * refuses, calls pause for twice as long.
 */
export function afterCall(breaker: Breaker, standing: Standing, now: number): Breaker {
  if (standing.type === 'answered') return CLOSED
  if (standing.type === 'unknown') return breaker
  const faults = breaker.faults + 1
  if (faults < FAULTS) return { faults, until: 0 }
  const pause = Math.max(FIRST_PAUSE_MS * 2 ** Math.min(faults - FAULTS, 10), standing.retryAfterMs ?? 0)
  return { faults, until: now + Math.min(pause, LONGEST_PAUSE_MS) }
}

/** Returns how long calls still pause, in milliseconds; 0 while calls are allowed. */
export function pauseLeft({ until }: Breaker, now: number): number {
  const left = until - now
  // If more than `LONGEST_PAUSE_MS` is left, the clock was set back. The pause is ended, and the next call shows
  // whether the provider still refuses.
  return left > LONGEST_PAUSE_MS ? 0 : Math.max(0, left)
}
