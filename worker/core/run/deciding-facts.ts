import type { DecidingFact, DecisionView, RunView } from '../../wire/run.ts'
import type { Simulation } from '../scenario/scenario.ts'
import { heardBy } from './heard-by.ts'

/**
 * What the right answer rests on, and what became of it: attached to the decision, heard by then and not attached, or not
 * heard. What somebody told after the decision was missed when it counted.
 */
export function decidingFacts(
  { facts }: Simulation,
  { facts: heard }: Pick<RunView, 'facts'>,
  decision: DecisionView,
): DecidingFact[] {
  return facts
    .filter(({ deciding }) => deciding)
    .map(({ id, npc, text }): DecidingFact => {
      const found = heard.find((each) => each.id === id)
      const isCited = decision.evidence.includes(id)
      const inTime = found !== undefined && heardBy(decision, found)
      return {
        id,
        npc,
        text,
        state: isCited ? 'cited' : inTime ? 'ignored' : 'missed',
        said: inTime ? found.said : null,
        turn: inTime ? found.turn : null,
      }
    })
}
