import * as z from 'zod'

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
