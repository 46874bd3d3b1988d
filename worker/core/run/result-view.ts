import type { ResultView } from '../../wire/run.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Debrief } from './debrief.ts'

/** What a debrief comes to, in names and numbers: nobody's words but the nickname. */
export function resultOf({ id, title }: Pick<Scenario, 'id' | 'title'>, { run, ending, facts }: Debrief): ResultView {
  const count = (holds: (state: (typeof facts)[number]['state']) => boolean) =>
    facts.filter(({ state }) => holds(state)).length
  return {
    scenario: id,
    title,
    version: run.version,
    nickname: run.nickname,
    class: run.class?.title ?? null,
    option: ending.option,
    optionTitle: ending.title,
    verdict: ending.verdict,
    facts: {
      deciding: facts.length,
      heard: count((state) => state !== 'missed'),
      cited: count((state) => state === 'cited'),
    },
    objectives: {
      met: run.objectives.filter(({ state }) => state === 'met').length,
      of: run.objectives.length,
    },
    startedAt: run.startedAt,
    decidedAt: run.decision.at,
  }
}
