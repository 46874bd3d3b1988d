import type { DebriefView, DecisionView, EndingView, RunView } from '../../wire/run.ts'
import type { OptionEnding, Simulation } from '../scenario/scenario.ts'
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
function chosenIn({ simulation }: Told, { decision }: DecidedRun): OptionEnding | undefined {
  return simulation?.endings.find(({ option }) => option === decision.option)
}

function endingView(
  { option, verdict, after, facts }: OptionEnding,
  { decision }: Told,
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
