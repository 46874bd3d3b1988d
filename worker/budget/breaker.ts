/** Stops calls to a provider that keeps refusing them: how often in a row it did, and until when calls stop. */
export interface Breaker {
  readonly faults: number
  /** Milliseconds since 1970; 0 when calls go through. */
  readonly until: number
}

/**
 * What one call shows about the provider: it answered, it turned the call away (no valid key, no money, no quota), or
 * nothing is known, as when a connection breaks.
 */
export type Standing =
  | { readonly type: 'answered' }
  | { readonly type: 'turned-away'; readonly retryAfterMs: number | null }
  | { readonly type: 'unknown' }

export const CLOSED: Breaker = { faults: 0, until: 0 }

/** This many in a row stop the calls. After one or two, a learner who tries again should get through. */
const FAULTS = 3
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 600_000

/**
 * The breaker after a call. When the pause is over one call goes through, since a conversation makes one at a time: it
 * closes the breaker, or opens it for twice as long.
 */
export function afterCall(breaker: Breaker, standing: Standing, now: number): Breaker {
  if (standing.type === 'answered') return CLOSED
  if (standing.type === 'unknown') return breaker
  const faults = breaker.faults + 1
  if (faults < FAULTS) return { faults, until: 0 }
  const pause = Math.max(FIRST_PAUSE_MS * 2 ** Math.min(faults - FAULTS, 10), standing.retryAfterMs ?? 0)
  return { faults, until: now + Math.min(pause, LONGEST_PAUSE_MS) }
}

/** How long calls are stopped for, in milliseconds; 0 when they are not. */
export function pauseLeft({ until }: Breaker, now: number): number {
  const left = until - now
  // No pause is that long: the clock was set back, and a call will tell.
  return left > LONGEST_PAUSE_MS ? 0 : Math.max(0, left)
}
