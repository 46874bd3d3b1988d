import * as z from 'zod'
import type { PersonFact, MemoryRecord } from '../memory.ts'
import { paging } from './context-shapes.ts'
import type { Operation } from './operation.ts'
import { contextId, conversationRef, data, line, memoryId, name, page, time, userInAddress } from './shapes.ts'

const kind = z.enum(['said', 'event', 'annotation', 'note'])

export const memory = z.object({
  id: z.string(),
  memorySpaceId: z.string(),
  userId: z.string().nullable(),
  content: z.string(),
  kind,
  importance: z.int(),
  contextId: z.string().nullable(),
  rootId: z.string().nullable(),
  workflowPurpose: z.string().nullable(),
  conversationRef: conversationRef().nullable(),
  metadata: data(),
  createdAt: z.int(),
}) satisfies z.ZodType<MemoryRecord>

export const fact = z.object({
  key: z.string(),
  value: z.string(),
  source: z.string(),
  confidence: z.number(),
  at: z.int(),
}) satisfies z.ZodType<PersonFact>

const where = {
  memorySpaceId: name().optional(),
  userId: name().optional(),
  contextId: contextId().optional(),
  rootId: contextId().optional().describe('The root of a workflow: memories of all its contexts.'),
  conversationId: name().optional(),
}

const user = z.strictObject({ user: userInAddress() })
const factKey = z.string().regex(/^[a-z][a-z0-9_.-]{0,99}$/)

/** Every operation on memories and facts, by its name. */
export const memoryOperations = {
  storeMemory: {
    method: 'POST',
    path: '/api/memories',
    summary: 'Store a memory. From its context it takes the conversation and the purpose.',
    needs: 'write',
    body: z.strictObject({
      id: memoryId()
        .optional()
        .describe('Your own id, so that you can safely repeat the request: the second time it is `MEMORY_EXISTS`.'),
      memorySpaceId: name(),
      content: z.string().trim().min(1).max(8_000),
      kind: kind.default('note'),
      importance: z
        .int()
        .min(0)
        .max(100)
        .default(50)
        .describe('Of two equal matches, a search gives the more important first.'),
      userId: name()
        .optional()
        .describe(
          'The person it is about. A colleague recalls what is stored under a learner’s code, not under their name.',
        ),
      contextId: contextId().optional(),
      conversationRef: conversationRef().optional(),
      metadata: data().default({}),
    }),
    status: 201,
    answer: memory,
    errors: ['CONTEXT_NOT_FOUND', 'MEMORY_EXISTS', 'ERASURE_RUNNING', 'BUSY'],
  },
  listMemories: {
    method: 'GET',
    path: '/api/memories',
    summary:
      'List memories that fit a filter, oldest first; or those with any of the words of `q`, the best match first, in one page.',
    needs: 'read',
    query: z.strictObject({
      q: line().optional().describe('Any of these words, with any ending. At most 100 memories are found.'),
      ...where,
      ...paging,
    }),
    status: 200,
    answer: page(
      memory.extend({ score: z.number().optional().describe('How well it fits `q`: above 0; higher is better.') }),
    ),
    errors: ['INVALID_CURSOR'],
  },
  getMemory: {
    method: 'GET',
    path: '/api/memories/{memory}',
    summary: 'Get one memory.',
    needs: 'read',
    params: z.strictObject({ memory: memoryId() }),
    status: 200,
    answer: memory,
    errors: ['MEMORY_NOT_FOUND'],
  },
  deleteMemory: {
    method: 'DELETE',
    path: '/api/memories/{memory}',
    summary: 'Delete a memory.',
    needs: 'write',
    params: z.strictObject({ memory: memoryId() }),
    status: 200,
    answer: z.object({ deleted: z.int() }),
    errors: ['MEMORY_NOT_FOUND', 'BUSY'],
  },
  listFacts: {
    method: 'GET',
    path: '/api/people/{user}/facts',
    summary: 'List the facts about a person, by key.',
    needs: 'read',
    params: user,
    query: z.strictObject(paging),
    status: 200,
    answer: page(fact),
    errors: ['INVALID_CURSOR'],
  },
  putFact: {
    method: 'PUT',
    path: '/api/people/{user}/facts/{key}',
    summary:
      'Store a fact about a person. One older than the stored fact changes nothing; the answer is the fact that holds.',
    needs: 'write',
    params: z.strictObject({ user: userInAddress(), key: factKey }),
    body: z.strictObject({
      value: line(),
      source: name().describe('Where the fact comes from.'),
      confidence: z.number().min(0).max(1).default(1).describe('Of two facts of the same time, the surer one holds.'),
      at: time().optional().describe('The time of the fact; by default now. The newest fact holds.'),
    }),
    status: 200,
    answer: fact,
    errors: ['ERASURE_RUNNING', 'BUSY'],
  },
  deleteFact: {
    method: 'DELETE',
    path: '/api/people/{user}/facts/{key}',
    summary: 'Delete a fact.',
    needs: 'write',
    params: z.strictObject({ user: userInAddress(), key: factKey }),
    status: 200,
    answer: z.object({ deleted: z.int() }),
    errors: ['FACT_NOT_FOUND', 'BUSY'],
  },
} as const satisfies Record<string, Operation>
