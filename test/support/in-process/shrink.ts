import { Draws } from './draws.ts'
import { liveHistory, type Outcome } from './history.ts'

/** How many histories one call of `shrink` tries at most. */
const TRIES = 3_000

/**
 * Returns a simpler history that breaks the same invariant as the given one. The function first leaves out series of
 * choices, long series before short ones. Then it makes single choices smaller. It goes on until no change makes the
 * history simpler.
 *
 * @throws Error for a history that breaks no invariant
 */
export async function shrink(broken: Outcome): Promise<Outcome> {
  const invariant = nameOf(broken)
  if (invariant === null) throw new Error('there is nothing to shrink in a history that breaks nothing')
  let best = broken
  let tries = 0
  const attempt = async (taken: readonly number[]): Promise<boolean> => {
    tries += 1
    const outcome = await liveHistory(Draws.replayed(taken))
    const isBetter = nameOf(outcome) === invariant && weightOf(outcome) < weightOf(best)
    if (isBetter) best = outcome
    return isBetter
  }
  for (let helped = true; helped && tries < TRIES;) {
    helped = false
    for (let run = Math.ceil(best.taken.length / 2); run > 0; run = Math.floor(run / 2))
      for (let at = 0; at < best.taken.length && tries < TRIES; at += run)
        while (tries < TRIES && (await attempt(best.taken.toSpliced(at, run)))) helped = true
    for (let at = 0; at < best.taken.length && tries < TRIES; at++) {
      const value = best.taken[at] ?? 0
      for (const tamer of [0, Math.floor(value / 2), value - 1])
        if (tamer >= 0 && tamer < value && (await attempt(best.taken.with(at, tamer)))) helped = true
    }
  }
  return best
}

function nameOf({ violation }: Outcome): string | null {
  return violation?.split(' ')[0] ?? null
}

/**
 * Returns how complicated a history is. A history with fewer choices is simpler. Of two histories with the same number
 * of choices, the one with smaller choices is simpler.
 */
function weightOf({ taken }: Outcome): number {
  return taken.length * 1e6 + taken.reduce((sum, value) => sum + Math.min(value, 1_000), 0)
}
