import * as z from 'zod'
import { cap } from '../../core/reply/characters.ts'
import type { Npc, Scenario } from '../../core/scenario/scenario.ts'
import type { FreeData } from '../context.ts'

/**
 * What a run reads in the data of its contexts. Whoever has a token of the API may write there too: what is not as it
 * should be reads as if it were not there.
 */

const id = z.string().min(1).max(64)
const time = z.number()
const name = z.string()

/** Of the root. */
export const runDataSchema = z.object({
  scenario: id.catch(''),
  version: z.number().catch(0),
  nickname: name.nullable().catch(null).default(null),
  class: z.object({ id: name, title: name }).nullable().catch(null).default(null),
  again: z.object({ npc: id, pivot: name }).nullable().catch(null).default(null),
  decision: z
    .object({ option: id, reason: name, evidence: z.array(id), at: time })
    .nullable()
    .catch(null)
    .default(null),
})

/** Of a conversation's context. */
export const talkDataSchema = z.object({
  level: z.enum(['hostile', 'guarded', 'neutral', 'cooperative', 'trusting']).nullable().catch(null).default(null),
  completion: z.enum(['earned', 'forced']).nullable().catch(null).default(null),
  earned: z.array(name).catch([]).default([]),
  earnedAt: z.record(z.string(), time).catch({}).default({}),
  facts: z
    .array(z.object({ fact: id, said: name, turn: z.number().nullable(), at: time }))
    .catch([])
    .default([]),
  paper: z
    .object({ title: name, kind: name, lines: z.array(name) })
    .nullable()
    .catch(null)
    .default(null),
  next: name.nullable().catch(null).default(null),
})

/** Of what one colleague leaves to the next. */
export const handOverSchema = z.object({ handOver: name })

/** Where in the chain a conversation stands. */
export interface RunPlace {
  /** The run: the root of its workflow. */
  readonly id: string
  /** The conversation's own context. */
  readonly context: string
}

/** What a context of a run is about, in an author's words. */
export interface ContextContent {
  readonly purpose: string
  readonly description: string | null
  readonly data: FreeData
}

/** The longest a purpose or a description may be, in characters: what the API takes. */
const LONGEST = 2_000

/** A learner's play-through of a scenario. Whom it takes to be complete is settled as it begins. */
export function runContent(scenario: Scenario): ContextContent {
  const { id, version, title, decision, situation } = scenario
  const completes = completingNpcs(scenario)
  return {
    purpose: cut(`${title}: ${decision.question}`),
    description: cut(situation.what),
    data: { scenario: id, version, title, ...(completes.length > 0 && { completes }) },
  }
}

/** A conversation in a run. */
export function conversationContent({ objectives }: Scenario, npc: Npc): ContextContent {
  const objective = objectives.find(({ id }) => id === npc.goal.objective)
  return {
    purpose: cut(objective?.title ?? npc.goal.endCondition),
    description: cut(npc.scene),
    data: { npc: npc.id, objective: npc.goal.objective },
  }
}

/** What one colleague leaves to the next. */
export function handOverContent(from: string, next: { readonly npc: string; readonly why: string }): ContextContent {
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
