import { cap } from '../../core/reply/characters.ts'
import type { Npc, Scenario } from '../../core/scenario/scenario.ts'
import type { Data } from '../context.ts'

/** What a context of a run is about, in an author's words. */
export interface Told {
  readonly purpose: string
  readonly description: string | null
  readonly data: Data
}

/** The longest a purpose or a description may be, in characters: what the API takes. */
const LONGEST = 2_000

/** A learner's play-through of a scenario. Whom it takes to be complete is settled as it begins. */
export function tellRun(scenario: Scenario): Told {
  const { id, version, title, decision, situation } = scenario
  const completes = completingNpcs(scenario)
  return {
    purpose: cut(`${title}: ${decision.question}`),
    description: cut(situation.what),
    data: { scenario: id, version, title, ...(completes.length > 0 && { completes }) },
  }
}

/** A conversation in a run. */
export function tellConversation({ objectives }: Scenario, npc: Npc): Told {
  const objective = objectives.find(({ id }) => id === npc.goal.objective)
  return {
    purpose: cut(objective?.title ?? npc.goal.endCondition),
    description: cut(npc.scene),
    data: { npc: npc.id, objective: npc.goal.objective },
  }
}

/** What one colleague leaves to the next. */
export function tellHandOver(from: string, next: { readonly npc: string; readonly why: string }): Told {
  return { purpose: cut(next.why), description: null, data: { handOver: next.npc, from } }
}

/** The colleagues whose conversations complete a run once all of them are completed; none: nothing completes it. */
function completingNpcs({ run, npcs }: Scenario): readonly string[] {
  const completes = run?.completes ?? []
  return completes === 'all' ? npcs.map(({ id }) => id) : completes
}

function cut(text: string): string {
  const clean = text.trim()
  return clean.length <= LONGEST ? clean : `${cap(clean, LONGEST - 1)}…`
}
