import type { DecidingFact, ResultView } from '../../../worker/wire/run.ts'

/** How many facts decide it, and how many of them were heard and cited. */
export function tallyOf(facts: readonly DecidingFact[]): ResultView['facts'] {
  const cited = facts.filter(({ state }) => state === 'cited').length
  const missed = facts.filter(({ state }) => state === 'missed').length
  return { deciding: facts.length, heard: facts.length - missed, cited }
}
