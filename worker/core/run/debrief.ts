import type { Account, DebriefScenario } from './account.ts'
import type { PlayRecord } from './run-view.ts'
import { talkView } from './talk-view.ts'
import type { OptionEnding, Scenario, Simulation } from '../scenario/scenario.ts'
import type { DebriefView, DecidingFact, DecisionView, EndingView, ResultView, RunView } from '../../wire/run.ts'

/** A run that has been decided. */
export type DecidedRun = RunView & { readonly decision: DecisionView }

/** Everything about a run but its signed result. */
export type Debrief = Omit<DebriefView, 'run' | 'result'> & { readonly run: DecidedRun }

/**
 * What became of a run, and why: all that was kept from the learner before they decided.
 *
 * @param scenario as it is served now
 * @param accounts of its conversations, as far as there are any
 * @returns null where no version of the scenario that is at hand has an ending for what was decided
 */
export function debriefOf(scenario: DebriefScenario, run: DecidedRun, accounts: readonly Account[]): Debrief | null {
  const telling = [...accounts.map((account) => account.scenario), scenario].filter((each) => chosenIn(each, run))
  const told = telling.find(({ version }) => version === run.version) ?? telling.at(-1)
  const chosen = told && chosenIn(told, run)
  if (!told?.simulation || !chosen) return null
  const { simulation } = told
  return {
    run,
    ending: endingView(chosen, told, simulation),
    others: simulation.endings
      .filter((ending) => ending !== chosen)
      .map((other) => endingView(other, told, simulation)),
    facts: decidingFacts(simulation, run, run.decision),
    talks: told.npcs.flatMap(({ id }) => {
      const account = accounts.find(({ npc }) => npc === id)
      return (account && talkView(account)) ?? []
    }),
  }
}

/** The ending of what was decided; undefined where there is none. */
function chosenIn({ simulation }: DebriefScenario, { decision }: DecidedRun): OptionEnding | undefined {
  return simulation?.endings.find(({ option }) => option === decision.option)
}

function endingView(
  { option, verdict, after, facts }: OptionEnding,
  { decision }: DebriefScenario,
  simulation: Simulation,
): EndingView {
  return {
    option,
    title: decision.options.find(({ id }) => id === option)?.title ?? option,
    verdict,
    after: [...after],
    facts: facts.filter((id) => simulation.facts.some((fact) => fact.id === id && fact.deciding)),
  }
}

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
      const inTime = found !== undefined && isHeardBy(decision, found)
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

/**
 * Whether a fact counts for a decision: it was heard by then. One that is attached to it was, whatever two machines' clocks say.
 *
 * @param fact its id, and when it was heard in milliseconds since 1970
 */
export function isHeardBy(
  { evidence, at }: Pick<DecisionView, 'evidence' | 'at'>,
  fact: { readonly id: string; readonly at: number },
): boolean {
  return evidence.includes(fact.id) || fact.at <= at
}

/**
 * What a debrief comes to, in names and numbers: nobody's words but the nickname. What came after the decision is none of it.
 *
 * @param plays of the run: when what was earned in them
 */
export function resultOf(
  { id, title }: Pick<Scenario, 'id' | 'title'>,
  { run, ending, facts }: Debrief,
  plays: readonly PlayRecord[],
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

function hadEarned({ earned, earnedAt, endedAt }: PlayRecord, objective: string, by: number): boolean {
  return earned.includes(objective) && (earnedAt[objective] ?? endedAt ?? Infinity) <= by
}
