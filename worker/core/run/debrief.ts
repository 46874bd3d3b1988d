import type { DebriefView, DecisionView, EndingView, RunView } from '../../wire/run.ts'
import type { Ending, Simulation } from '../scenario/scenario.ts'
import type { Account, Told } from './account.ts'
import { decidingFacts } from './deciding-facts.ts'
import { talkView } from './talk-view.ts'

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
export function debriefOf(scenario: Told, run: DecidedRun, accounts: readonly Account[]): Debrief | null {
  const played = [...accounts.map((account) => account.scenario), scenario].find(
    ({ version, simulation }) => version === run.version && simulation !== undefined,
  )
  const told = played ?? scenario
  const { simulation } = told
  const chosen = simulation?.endings.find(({ option }) => option === run.decision.option)
  if (simulation === undefined || chosen === undefined) return null
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

function endingView({ option, verdict, after, facts }: Ending, { decision }: Told, simulation: Simulation): EndingView {
  return {
    option,
    title: decision.options.find(({ id }) => id === option)?.title ?? option,
    verdict,
    after: [...after],
    facts: facts.filter((id) => simulation.facts.some((fact) => fact.id === id && fact.deciding)),
  }
}
