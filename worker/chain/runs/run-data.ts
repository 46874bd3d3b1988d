import * as z from 'zod'
import { once } from '../../core/once.ts'
import { shortened } from '../../core/reply/characters.ts'
import type { Npc, Scenario } from '../../core/scenario/scenario.ts'
import type { FreeData } from '../context.ts'

/**
 * Schemas of the data in a run's contexts. A tenant's requests to the API may change that data, so a malformed value
 * counts as missing.
 */

const id = () => z.string().min(1).max(64)
const time = () => z.number()
const name = () => z.string()

/** The data of a run's root. */
export const runDataSchema = once(() =>
  z.object({
    scenario: id().catch(''),
    version: z.number().catch(0),
    nickname: name().nullable().catch(null).default(null),
    class: z.object({ id: name(), title: name() }).nullable().catch(null).default(null),
    again: z.object({ npc: id().nullable(), pivot: name().nullable() }).nullable().catch(null).default(null),
    decision: z
      .object({
        option: id(),
        reason: name(),
        evidence: z.array(id()),
        unticked: z.array(id()).optional().catch(undefined),
        at: time(),
      })
      .nullable()
      .catch(null)
      .default(null),
  }),
)

/** The data of a conversation's context. */
export const talkDataSchema = once(() =>
  z.object({
    level: z.enum(['hostile', 'guarded', 'neutral', 'cooperative', 'trusting']).nullable().catch(null).default(null),
    completion: z.enum(['earned', 'forced']).nullable().catch(null).default(null),
    earned: z.array(name()).catch([]).default([]),
    earnedAt: z.record(z.string(), time()).catch({}).default({}),
    facts: z
      .array(z.object({ fact: id(), said: name(), turn: z.number().nullable(), at: time() }))
      .catch([])
      .default([]),
    paper: z
      .object({ title: name(), kind: name(), lines: z.array(name()) })
      .nullable()
      .catch(null)
      .default(null),
    /** When the document was handed over; null if it was handed over at the conversation's end. */
    paperAt: time().nullable().catch(null).default(null),
    next: name().nullable().catch(null).default(null),
  }),
)

/** The data of a hand-over: a context that says to which colleague the learner was sent. */
export const handOverSchema = once(() => z.object({ handOver: name() }))

/** A conversation's position in the chain. */
export interface RunPlace {
  /** The id of the run, which is the id of its root context. */
  readonly id: string
  /** The id of the conversation's own context. */
  readonly context: string
}

/** The texts and data of a run's context, in the author's words. */
export interface ContextContent {
  readonly purpose: string
  readonly description: string | null
  readonly data: FreeData
}

/** The most characters of a purpose or description; the API has the same limit. */
const LONGEST = 2_000

/**
 * Returns the content of a run's root. The content names the colleagues whose conversations complete the run, from the
 * scenario's current version.
 */
export function runContent(scenario: Scenario): ContextContent {
  const { id, version, title, decision, situation } = scenario
  const completes = completingNpcs(scenario)
  return {
    purpose: cut(`${title}: ${decision.question}`),
    description: cut(situation.what),
    data: { scenario: id, version, title, ...(completes.length > 0 && { completes }) },
  }
}

/** Returns the content of a conversation's context. */
export function conversationContent({ objectives }: Scenario, npc: Npc): ContextContent {
  const objective = objectives.find(({ id }) => id === npc.goal.objective)
  return {
    purpose: cut(objective?.title ?? npc.goal.endCondition),
    description: cut(npc.scene),
    data: { npc: npc.id, objective: npc.goal.objective },
  }
}

/** Returns the content of a hand-over. `from` is the colleague who sends the learner on. */
export function handOverContent(from: string, next: { readonly npc: string; readonly why: string }): ContextContent {
  return { purpose: cut(next.why), description: null, data: { handOver: next.npc, from } }
}

/**
 * Returns the colleagues whose conversations complete a run together. If the list is empty, no conversation completes
 * the run.
 */
function completingNpcs({ run, npcs }: Scenario): readonly string[] {
  const completes = run?.completes ?? []
  return completes === 'all' ? npcs.map(({ id }) => id) : completes
}

function cut(text: string): string {
  return shortened(text.trim(), LONGEST)
}
