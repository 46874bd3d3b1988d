import { secondsOf } from '../trust/credential.ts'
import { identify } from '../trust/identity.ts'
import { anonymousLearner, type Learner, verifiedLearner } from '../trust/learner.ts'
import type { RunHeld } from '../trust/game-credentials.ts'
import type { TrustConfig } from '../trust/trust-config.ts'

/**
 * Returns the learner of a request, and the time until which the learner's new keys are valid (seconds since 1970). If
 * the request has a run's key (`held`), the learner is the run's learner, and an identity in the request must belong to
 * the same learner. Otherwise the learner is the person whose identity the request proves, or a new anonymous learner.
 * A request may have the key of a verified learner's run and no identity. Then the new keys expire when the run's key
 * expires.
 *
 * @returns null if the identity is refused, or is missing although it is required
 */
export async function learnerFor(
  trust: TrustConfig,
  identity: unknown,
  held: RunHeld | null,
  now: number,
): Promise<{ learner: Learner; until: number } | null> {
  const until = secondsOf(now) + trust.lifetimes.key
  const identified = await identify(trust.identity, identity, now)
  if (!identified.ok) return null
  if (identified.user === null) {
    if (held === null) return { learner: anonymousLearner(), until }
    return { learner: held.learner, until: held.learner.kind === 'verified' ? held.until : until }
  }
  const learner = await verifiedLearner(trust.learnerSecret, trust.signing.deployment, identified.user)
  return held && held.learner.id !== learner.id ? null : { learner, until }
}
