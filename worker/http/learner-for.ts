import { secondsOf } from '../trust/credential.ts'
import { identify } from '../trust/identity.ts'
import { anonymousLearner, type Learner, verifiedLearner } from '../trust/learner.ts'
import type { RunHeld } from '../trust/game-credentials.ts'
import type { TrustConfig } from '../trust/trust-config.ts'

/**
 * Who learns, and until when in seconds since 1970 they are given keys: in a run whoever it belongs to, who has to be the one
 * that is vouched for, if anybody is; otherwise whom the host vouches for, or somebody nobody knows. A verified learner of
 * whom there is only the run's key gets nothing that outlives it. Null: nobody has vouched for them.
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
