import { secondsOf } from '../trust/credential.ts'
import { identify } from '../trust/identity.ts'
import { anonymousLearner, type Learner, verifiedLearner } from '../trust/learner.ts'
import type { RunHeld } from '../trust/game-credentials.ts'
import type { TrustConfig } from '../trust/trust-config.ts'

/**
 * Decides who the learner is, and until when their keys last (seconds since 1970). In a run it is the run's learner; an
 * identity in the request must belong to the same learner. Outside a run it is the learner whom the identity proves, or
 * an anonymous one. A verified learner who presents only the run's key gets no key that outlives it.
 *
 * @returns null if the identity is refused or missing where it is required
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
