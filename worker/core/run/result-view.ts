import type { ResultView } from '../../wire/run.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Debrief } from './debrief.ts'
import type { PlayStanding } from './run-view.ts'

/**
 * What a debrief comes to, in names and numbers: nobody's words but the nickname. What came after the decision is none of it.
 *
 * @param plays of the run: when what was earned in them
 */
export function resultOf(
  { id, title }: Pick<Scenario, 'id' | 'title'>,
  { run, ending, facts }: Debrief,
  plays: readonly PlayStanding[],
): ResultView {
  const count = (holds: (state: (typeof facts)[number]['state']) => boolean) =>
    facts.filter(({ state }) => holds(state)).length
  return {
    run: run.id,
    scenario: id,
    title,
    version: run.version,
    nickname: run.nickname,
    class: run.class?.title ?? null,
    again: run.again !== null,
    option: ending.option,
    optionTitle: ending.title,
    verdict: ending.verdict,
    facts: {
      deciding: facts.length,
      heard: count((state) => state !== 'missed'),
      cited: count((state) => state === 'cited'),
    },
    objectives: {
      met: run.objectives.filter((objective) => plays.some((play) => hadEarned(play, objective.id, run.decision.at)))
        .length,
      of: run.objectives.length,
    },
    startedAt: run.startedAt,
    decidedAt: run.decision.at,
  }
}

function hadEarned({ earned, earnedAt, endedAt }: PlayStanding, objective: string, by: number): boolean {
  return earned.includes(objective) && (earnedAt[objective] ?? endedAt ?? Infinity) <= by
}
