import type { Standing } from './breaker.ts'
import type { Tokens } from './tokens.ts'

/** What pays for calls to a model. */
export interface Purse {
  /**
   * Sets aside the most that a call can take.
   *
   * @throws ActorError `spent`, `paused`, `unaccounted` or `aborted`, with nothing set aside
   */
  reserve(
    most: Tokens,
    signal: AbortSignal,
  ): Promise<{
    /** Ends it: what it took, and how we stand with the provider. Once; whatever comes later is ignored. */
    settle(charge: Tokens, standing: Standing): void
  }>
}
