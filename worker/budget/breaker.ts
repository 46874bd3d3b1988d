/**
 * The state of a circuit breaker, which pauses a conversation's calls after the model's provider has refused several in
 * a row. `faults` is the number of these refusals.
 */
export interface Breaker {
  readonly faults: number
  /** End of the pause, in milliseconds since 1970; 0 while calls are allowed. */
  readonly until: number
}

/**
 * What one call shows about the model's provider. `answered`: it answered. `turned-away`: it refused the call (invalid
 * key, no credit, quota used up). `unknown`: neither is known, for example because the connection broke.
 */
export type Standing =
  | { readonly type: 'answered' }
  | { readonly type: 'turned-away'; readonly retryAfterMs: number | null }
  | { readonly type: 'unknown' }

export const CLOSED: Breaker = { faults: 0, until: 0 }

/** The number of refusals in a row after which calls pause. */
const FAULTS = 3
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 600_000

/**
 * Returns the breaker's state after a call. The first call after a pause shows whether the provider still refuses. If
 * the provider answers, calls are allowed again. If the provider refuses, calls pause for twice as long as before.
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
  // More than `LONGEST_PAUSE_MS` can be left only if the clock was set back. Then the pause ends now.
  return left > LONGEST_PAUSE_MS ? 0 : Math.max(0, left)
}
