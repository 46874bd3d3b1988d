import * as z from 'zod'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'

/** The schema of a column that contains JSON as text. */
const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' })
        return z.NEVER
      }
    })
    .pipe(schema)

const flag = z.boolean()
const reportSchema = z.object({
  emotional_state: z.string(),
  information_revealed: z.array(z.string()),
  internal_thought: z.string(),
  objective_complete: z.string().nullable(),
  is_conversation_complete: flag,
  hint_given: flag,
  agreement_signal: z.string(),
  engagement_score: z.number(),
  node_satisfied: flag,
  detour_detected: flag,
  // Reports that earlier versions of the code stored lack the following fields.
  went_on: flag.default(EMPTY_REPORT.went_on),
  pivot_choice: z.string().nullable().default(EMPTY_REPORT.pivot_choice),
  learner_leaving: flag.default(EMPTY_REPORT.learner_leaving),
  document_given: flag.default(EMPTY_REPORT.document_given),
  fact_registered: flag.default(EMPTY_REPORT.fact_registered),
})

const graphSchema = z.looseObject({
  ir: z.literal(2, 'is of a shape that this version does not know'),
  id: z.string(),
  version: z.int(),
  hash: z.string(),
  entry: z.string(),
  terminal: z.string(),
  policy: z.looseObject({}),
  nodes: z.record(z.string(), z.looseObject({ id: z.string(), kind: z.string() })),
  order: z.array(z.string()),
  behaviors: z.array(z.looseObject({ id: z.string() })),
})

const walkSchema = z.looseObject({
  v: z.literal(1, 'is of a shape that this version does not know'),
  node: z.string(),
  visits: z.array(z.looseObject({ node: z.string(), exchanges: z.int() })),
  end: z.looseObject({ completion: z.string() }).nullable(),
})

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('turn'), turn: z.int(), outcome: z.enum(['complete', 'cut', 'failed']) }),
  z.object({
    type: z.literal('pivot-end'),
    turn: z.int(),
    pivot: z.string(),
    choice: z.object({ id: z.string() }).nullable(),
    typed: z.enum(['card', 'own']).optional(),
  }),
  z.object({ type: z.literal('opening') }),
  z.object({ type: z.literal('turn-start') }),
  z.object({ type: z.literal('command') }),
])

const recordSchema = z.object({ turn: z.string(), entry: z.looseObject({ type: z.string() }) })

/**
 * The rows of a stored conversation's tables, as far as a backtest needs them (`worker/session/migrations.ts`). Unknown
 * tables and columns are dropped.
 */
export const storedSchema = z.object({
  session: z
    .array(
      z.object({
        info: json(
          z.object({
            scenario: z.looseObject({ id: z.string() }),
            npc: z.string(),
            graph: graphSchema,
            engine: z.enum(['graph', 'legacy']),
            seed: z.int(),
            person: z.enum(['new', 'returning']),
          }),
        ),
        walk: json(walkSchema),
      }),
    )
    .max(1),
  events: z.array(z.object({ seq: z.int(), body: json(eventSchema) })),
  turns: z.array(
    z.object({
      id: z.int(),
      learner: z.string(),
      report: json(reportSchema).nullable(),
      quality: z.enum(['clean', 'coerced', 'repaired', 'salvaged', 'missing', 'echoed']).nullable(),
    }),
  ),
  records: z.array(z.object({ body: json(z.array(recordSchema)) })),
  earlier: z.array(z.object({ seq: z.int() })).default([]),
})

export type Stored = z.output<typeof storedSchema>
