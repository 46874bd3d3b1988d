import * as z from 'zod'
import { context, contextVersion } from './context-shapes.ts'
import { grant } from './grant-operations.ts'
import { fact, memory } from './memory-operations.ts'
import type { Operation } from './operation.ts'
import { erasureId, userInAddress } from './shapes.ts'

const user = z.strictObject({ user: userInAddress() })
const counts = {
  sessions: z.int(),
  contexts: z.int(),
  memories: z.int(),
  facts: z.int(),
  grants: z.int(),
}

/**
 * The number of records of each kind that an erasure changes. A dry run returns the same numbers without changing
 * anything.
 */
export const erasureEffect = z.object({
  /** Number of conversations whose Durable Objects were emptied. */
  sessions: z.int(),
  /** Number of ledgers (objects that count usage, for budgets) that counted the person's usage. */
  ledgers: z.int(),
  contexts: z.object({ deleted: z.int(), reparented: z.int(), promoted: z.int(), scrubbed: z.int() }),
  memories: z.int(),
  facts: z.int(),
})

export const erasure = z.object({
  id: z.string(),
  status: z.enum(['running', 'done']),
  mode: z.enum(['preserve', 'subtree']),
  requestedAt: z.int(),
  doneAt: z.int().nullable(),
  effect: erasureEffect,
})

export const session = z.object({
  session: z.string(),
  scenario: z.string(),
  npc: z.string(),
  runId: z.string(),
  contextId: z.string(),
  createdAt: z.int(),
  endedAt: z.int().nullable(),
})

export const personExport = z.object({
  schema: z.literal('https://walkon.dev/schema/person-export-1.json'),
  exportedAt: z.int(),
  userId: z.string(),
  sessions: z
    .array(
      session.extend({
        messages: z
          .array(z.object({ id: z.string(), who: z.enum(['learner', 'npc']), text: z.string(), at: z.int() }))
          .readonly(),
      }),
    )
    .readonly(),
  contexts: z.array(context.extend({ previousVersions: z.array(contextVersion).readonly() })).readonly(),
  memories: z.array(memory).readonly(),
  facts: z.array(fact).readonly(),
  /** What the person may read of the tenant's contexts. */
  grants: z.array(grant).readonly(),
})

/** Every operation on people, by its name. */
export const peopleOperations = {
  getPerson: {
    method: 'GET',
    path: '/api/people/{user}',
    summary: 'Count what is known about a person, and list their conversations.',
    needs: 'people',
    params: user,
    status: 200,
    answer: z.object({
      userId: z.string(),
      counts: z.object(counts),
      sessions: z.array(session).readonly(),
      erasure: erasure.nullable(),
    }),
    errors: ['PERSON_NOT_FOUND'],
  },
  exportPerson: {
    method: 'GET',
    path: '/api/people/{user}/export',
    summary: 'Export everything that is known about a person, as one JSON document.',
    needs: 'people',
    params: user,
    status: 200,
    answer: personExport,
    errors: ['PERSON_NOT_FOUND', 'BUSY'],
  },
  erasePerson: {
    method: 'POST',
    path: '/api/people/{user}/erasure',
    summary: 'Erase a person, or count what that would delete. While an erasure runs, the answer is the same erasure.',
    needs: 'people',
    params: user,
    body: z.strictObject({
      dryRun: z.boolean().default(false).describe('Only counts what would be deleted.'),
      mode: z
        .enum(['preserve', 'subtree'])
        .default('preserve')
        .describe("`preserve` keeps other people's contexts under those of the person; `subtree` deletes them too."),
    }),
    status: 202,
    answer: z.object({ erasure: erasure.nullable(), effect: erasureEffect }),
    errors: ['BUSY'],
  },
  getErasure: {
    method: 'GET',
    path: '/api/erasures/{erasure}',
    summary: 'Get the progress and the counts of an erasure.',
    needs: 'people',
    params: z.strictObject({ erasure: erasureId() }),
    status: 200,
    answer: erasure,
    errors: ['ERASURE_NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>
