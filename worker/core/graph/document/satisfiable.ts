import type { Guard } from '../graph.ts'
import type { RelationshipPolicy } from '../policy.ts'

/** What the search assumes about a walk: its relationship level, and which states were satisfied or not. */
interface Known {
  readonly rank: number
  readonly satisfied: ReadonlyMap<string, boolean>
}

/** The maximum number of search steps. If a search needs more steps, `isSatisfiable` returns true. */
const TRIES = 4096

/**
 * Returns true if there is a relationship level, and a choice of satisfied states, with which all of these guards hold.
 * If the search would take more than `TRIES` steps, the result is true as well.
 *
 * @param canSatisfy returns true if a state can ever be satisfied
 */
export function isSatisfiable(
  guards: readonly Guard[],
  policy: RelationshipPolicy,
  canSatisfy: (state: string) => boolean = () => true,
): boolean {
  const guard: Guard = { all: guards }
  const tries = { left: TRIES }
  return reachableRanks(policy).some((rank) => {
    const search = (satisfied: ReadonlyMap<string, boolean>): boolean => {
      const answer = holdsFor(guard, { rank, satisfied }, policy, canSatisfy)
      if (typeof answer === 'boolean') return answer
      if (--tries.left < 0) return true
      return [true, false].some((value) => search(new Map([...satisfied, [answer.open, value]])))
    }
    return search(new Map())
  })
}

/** Returns the indices of the relationship levels that a score within the policy's bounds can have. */
function reachableRanks({ levels, lowest, highest }: RelationshipPolicy): readonly number[] {
  return levels.flatMap(({ from }, rank) => {
    const next = levels[rank + 1]?.from ?? Number.POSITIVE_INFINITY
    // A score below the first level has the first level.
    return from <= highest && (next > lowest || levels.length === 1) ? [rank] : []
  })
}

/**
 * Whether a guard holds: true, false, or the name of a state that the search first has to assume as satisfied or not.
 */
type Answer = boolean | { readonly open: string }

function holdsFor(
  guard: Guard,
  known: Known,
  policy: RelationshipPolicy,
  canSatisfy: (state: string) => boolean,
): Answer {
  if ('relationship' in guard) {
    const { atLeast } = guard.relationship
    return known.rank >= policy.levels.findIndex(({ level }) => level === atLeast)
  }
  if ('satisfied' in guard) {
    if (!canSatisfy(guard.satisfied)) return false
    return known.satisfied.get(guard.satisfied) ?? { open: guard.satisfied }
  }
  if ('not' in guard) {
    const answer = holdsFor(guard.not, known, policy, canSatisfy)
    return typeof answer === 'boolean' ? !answer : answer
  }
  const [parts, decisive] = 'all' in guard ? [guard.all, false] : [guard.any, true]
  let open: Answer = !decisive
  for (const part of parts) {
    const answer = holdsFor(part, known, policy, canSatisfy)
    if (answer === decisive) return decisive
    if (typeof answer !== 'boolean' && typeof open === 'boolean') open = answer
  }
  return open
}
