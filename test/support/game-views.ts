import { simulationCard } from '../../sims/authoring/simulation-card.ts'
import { openOptions } from '../../worker/core/run/options.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import type { RunView, SimulationCard } from '../../worker/wire/run.ts'
import { simulationFile } from './play-run.ts'

/** The facts that open the decision's hidden option. */
const EARNING = ['phasing', 'gate']
const BEGUN = Date.UTC(2026, 10, 17, 9, 0)

/**
 * Returns the launch decision. From it, this module builds what the service would send to the game's page: the
 * simulation, and a learner's run.
 */
function larkfield(): Scenario {
  return simulationFile('launch-decision')
}

export function cardOfLarkfield(): SimulationCard {
  const card = simulationCard(larkfield())
  if (!card) throw new Error('the launch decision is no simulation')
  return card
}

/**
 * Returns a run in its middle. It has an example of everything that a run can have: objectives that are met, missed or
 * open; facts from three colleagues, one of them only in a document; a document from each of these colleagues; one open
 * conversation; and every option of the decision.
 */
export function runInLarkfield(id = 'ctx_larkfield'): RunView {
  const { id: scenario, version, objectives, npcs } = larkfield()
  const states = { 'get-your-bearings': 'met', 'size-the-risk': 'met', 'read-the-contract': 'missed' } as const
  return {
    id,
    scenario,
    version,
    startedAt: BEGUN,
    nickname: null,
    class: null,
    again: null,
    people: [
      { npc: 'maya', status: 'over', level: 'cooperative', completion: 'earned', next: { npc: 'marcus', why: 'Ask.' } },
      { npc: 'marcus', status: 'over', level: 'guarded', completion: 'forced', next: { npc: 'ines', why: 'Ask.' } },
      { npc: 'ines', status: 'talking', level: 'neutral', completion: null, next: null },
      { npc: 'otto', status: 'over', level: 'neutral', completion: 'earned', next: { npc: 'maya', why: 'Ask.' } },
    ],
    objectives: objectives.map((objective) => ({
      id: objective.id,
      title: objective.title,
      npc: npcs.find(({ goal }) => goal.objective === objective.id)?.id ?? '',
      state: states[objective.id as keyof typeof states] ?? 'open',
    })),
    facts: [
      heard('medical-rate', 'maya', 3, 'Ask it for medical advice and you’re at 23.4%. The average hides that.'),
      heard('ceiling', 'maya', 6, 'Medical advice is regulated, and we signed for 2.0% at most.'),
      heard('full-medical-run', 'maya', null, 'Full medical run, not yet booked: 3,000 prompts, 4 working days'),
      heard('credit', 'marcus', 2, 'It’s $40,000 for each week or part of a week.'),
      heard('gate', 'ines', 2, 'Twenty minutes, and they go to the nurse line.'),
    ],
    documents: ['maya', 'marcus', 'ines'].flatMap((npc, index) => {
      const document = npcs.find((each) => each.id === npc)?.document
      return document ? [{ ...document, lines: [...document.lines], npc, at: BEGUN + index }] : []
    }),
    decision: null,
    options: openOptions(larkfield().decision, EARNING),
  }
}

/** Returns the run of `runInLarkfield()` as it was before the learner's first message. */
export function freshRun(id = 'ctx_larkfield'): RunView {
  const run = runInLarkfield(id)
  return {
    ...run,
    people: run.people.map(({ npc }) => ({ npc, status: 'new', level: 'neutral', completion: null, next: null })),
    objectives: run.objectives.map((objective) => ({ ...objective, state: 'open' })),
    facts: [],
    documents: [],
    options: cardOfLarkfield().options,
    more: true,
  }
}

function heard(id: string, npc: string, turn: number | null, said: string): RunView['facts'][number] {
  return { id, npc, text: `That is: ${said}`, said, turn, at: BEGUN }
}
