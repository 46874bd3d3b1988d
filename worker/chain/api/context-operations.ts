import * as z from 'zod'
import { MAX_CONTEXT_DEPTH } from '../context.ts'
import { bodyFilter, context, contextVersion, paging, queryFilter } from './context-shapes.ts'
import type { Operation } from './operation.ts'
import {
  as,
  autoComplete,
  contextId,
  conversationRef,
  data,
  line,
  name,
  page,
  queryFlag,
  queryInt,
  queryTime,
  status,
} from './shapes.ts'

const one = z.strictObject({ context: contextId() })

const memorySpace = () => name().describe('Who does the work: your name for an agent or a team.')
const person = () => name().describe('Your name for the person it is about. Erasing them deletes it.')
const contextData = () => data().describe('Any object of up to 64 KiB and 32 levels. Contexts below inherit its keys.')
const withChildren = () =>
  autoComplete().describe(
    'Completes it when its last open child ends: `all-completed` if all are completed, `all-settled` also if some are cancelled.',
  )

const made = {
  id: contextId()
    .optional()
    .describe('Your own id, so that you can safely repeat the request: the second time it is `CONTEXT_EXISTS`.'),
  purpose: line(),
  description: line().optional(),
  memorySpaceId: memorySpace(),
  userId: person().optional(),
  data: contextData().default({}),
  autoComplete: withChildren().default('never'),
}
const by = name().optional().describe('The author of the new version; by default the name of the token.')

const removal = z
  .enum(['leaf', 'cascade', 'orphan-to-root', 'orphan-to-parent'])
  .default('leaf')
  .describe(
    '`leaf` refuses a context with children, `cascade` deletes everything under it too; the others keep its children.',
  )
const removed = z.object({ deleted: z.int(), reparented: z.int(), promoted: z.int() })

const findings = z.object({
  kind: z.enum(['orphan', 'cycle', 'wrong-root', 'wrong-depth', 'too-deep', 'version-gap', 'wrong-count']),
  contextId: z.string(),
  /** `found` is the stored value, `expected` the correct value. */
  found: z.string(),
  expected: z.string(),
})

const step = z.strictObject({
  purpose: line(),
  memorySpaceId: memorySpace(),
  description: line().optional(),
  userId: person().optional(),
  data: contextData().default({}),
})
const history = queryFlag().default(false).describe('With all earlier states of each.')

/** Returns true if an update changes a field. `by` and `expectedVersion` alone change nothing. */
function changesSomething(given: { [K in 'status' | 'purpose' | 'description' | 'data']?: unknown }): boolean {
  return [given.status, given.purpose, given.description, given.data].some((value) => value !== undefined)
}

/** Every operation on contexts, by its name. */
export const contextOperations = {
  createContext: {
    method: 'POST',
    path: '/api/contexts',
    summary: 'Create a root context, or a child of a context.',
    needs: 'write',
    body: z.strictObject({
      ...made,
      parentId: contextId().optional(),
      conversationRef: conversationRef().optional(),
      underTerminal: z.boolean().default(false).describe('Allows a parent that is completed or cancelled.'),
    }),
    status: 201,
    answer: context,
    errors: ['PARENT_NOT_FOUND', 'PARENT_TERMINAL', 'MAX_DEPTH', 'CONTEXT_EXISTS', 'ERASURE_RUNNING', 'BUSY'],
  },
  createPattern: {
    method: 'POST',
    path: '/api/contexts/patterns',
    summary:
      'Create a root and its steps at once: a sequence, a chain of approvals, or parallel tasks. At most 10 approvals.',
    needs: 'write',
    body: z
      .strictObject({
        pattern: z
          .enum(['sequence', 'approval', 'parallel'])
          .describe(
            'Each step of a `sequence` waits for the one before it. Each `approval` is under the one before it and waits for it. Steps of a `parallel` are all active.',
          ),
        purpose: line(),
        memorySpaceId: memorySpace(),
        userId: person().optional(),
        data: contextData().default({}),
        autoComplete: withChildren().default('never'),
        steps: z.array(step).min(1).max(100),
      })
      .refine(({ pattern, steps }) => pattern !== 'approval' || steps.length <= MAX_CONTEXT_DEPTH, {
        ...as('TOO_LONG'),
        path: ['steps'],
      }),
    status: 201,
    answer: z.object({ root: context, steps: z.array(context).readonly() }),
    errors: ['ERASURE_RUNNING', 'BUSY'],
  },
  listContexts: {
    method: 'GET',
    path: '/api/contexts',
    summary: 'List contexts that fit a filter, oldest first by default; or those with all the words of `q`.',
    needs: 'read',
    query: z.strictObject({
      q: line()
        .optional()
        .describe('Only contexts whose purpose or description has all of these words, the latest written first.'),
      ...queryFilter,
      at: queryTime()
        .optional()
        .describe('Only contexts that existed at this time, each with its state then as `state`.'),
      history,
      order: z.enum(['oldest', 'newest']).default('oldest'),
      ...paging,
    }),
    status: 200,
    answer: page(
      context.extend({
        state: contextVersion.optional(),
        previousVersions: z.array(contextVersion).readonly().optional(),
      }),
    ),
    errors: ['CONTEXT_NOT_FOUND', 'INVALID_CURSOR'],
  },
  countContexts: {
    method: 'GET',
    path: '/api/contexts/count',
    summary: 'Count the contexts that fit a filter; `exact` is false if more than 2,000 would have to be read.',
    needs: 'read',
    query: z.strictObject(queryFilter),
    status: 200,
    answer: z.object({
      count: z.int(),
      exact: z.boolean().describe('`false`: at least this many contexts fit.'),
    }),
    errors: [],
  },
  exportContexts: {
    method: 'GET',
    path: '/api/contexts/export',
    summary:
      'Export contexts that fit a filter as CSV (RFC 4180). The header Walkon-Next holds the cursor of the next page, if there is one.',
    needs: 'read',
    query: z.strictObject({ ...queryFilter, history, ...paging }),
    status: 200,
    answer: z.object({ csv: z.string(), next: z.string().nullable() }),
    media: 'text/csv',
    errors: ['INVALID_CURSOR'],
  },
  repairOrphans: {
    method: 'POST',
    path: '/api/contexts/integrity/repair',
    summary: 'Delete orphans with everything under them, or make them roots. Repeat until `left` is 0.',
    needs: 'write',
    body: z.strictObject({
      mode: z
        .enum(['delete', 'promote'])
        .describe('`delete` also deletes what is under them; `promote` keeps everything.'),
    }),
    status: 200,
    answer: z.object({ cleaned: z.int(), left: z.int() }),
    errors: ['BUSY'],
  },
  verifyIntegrity: {
    method: 'GET',
    path: '/api/contexts/integrity',
    summary: 'Find everything in the chain that is inconsistent, page by page; or orphans only.',
    needs: 'read',
    query: z.strictObject({
      kind: z.enum(['orphan']).optional().describe('`orphan`: only contexts whose parent is missing. This is faster.'),
      ...paging,
    }),
    status: 200,
    answer: page(findings),
    errors: ['INVALID_CURSOR'],
  },
  updateContexts: {
    method: 'PATCH',
    path: '/api/contexts',
    summary: 'Change every context that fits a filter, page by page. `skipped` names contexts that may not change so.',
    needs: 'write',
    body: z.strictObject({
      filter: bodyFilter,
      updates: z
        .strictObject({ status: status().optional(), data: data().optional() })
        .refine(changesSomething, as('EMPTY_UPDATES')),
      by,
      limit: z
        .int()
        .min(1)
        .max(500)
        .default(100)
        .describe(paging.limit.description ?? ''),
      cursor: paging.cursor,
    }),
    status: 200,
    answer: z.object({
      updated: z.int(),
      ids: z.array(z.string()).readonly(),
      skipped: z.array(z.object({ id: z.string(), code: z.string() })).readonly(),
      next: z.string().nullable(),
    }),
    errors: ['BUSY', 'ERASURE_RUNNING'],
  },
  deleteContexts: {
    method: 'POST',
    path: '/api/contexts/delete',
    summary: 'Delete every context that fits a filter, page by page.',
    needs: 'write',
    body: z.strictObject({
      filter: bodyFilter,
      mode: removal,
      limit: z
        .int()
        .min(1)
        .max(500)
        .default(100)
        .describe(paging.limit.description ?? ''),
      cursor: paging.cursor,
    }),
    status: 200,
    answer: removed.extend({
      ids: z.array(z.string()).readonly(),
      skipped: z.array(z.object({ id: z.string(), code: z.string() })).readonly(),
      next: z.string().nullable(),
    }),
    errors: ['BUSY'],
  },
  getContext: {
    method: 'GET',
    path: '/api/contexts/{context}',
    summary: 'Get one context; on request with its children, its inherited data or an earlier state.',
    needs: 'read',
    params: one,
    query: z
      .strictObject({
        children: queryFlag().default(false).describe('With its first hundred children.'),
        inherited: queryFlag()
          .default(false)
          .describe('With the data that it inherits: the nearest value of each key wins.'),
        version: queryInt(1, 999_999_999).optional().describe('With its state at this version, as `state`.'),
        at: queryTime()
          .optional()
          .describe('With its state at this time, as `state`; null if it did not exist yet. Not with `version`.'),
      })
      .refine(({ version, at }) => version === undefined || at === undefined, as('INVALID_FORMAT')),
    status: 200,
    answer: z.object({
      context,
      children: z.array(context).readonly().optional(),
      inherited: z
        .object({
          data: data(),
          /** For each key, the id of the context from which its value is inherited. */
          from: z.record(z.string(), z.string()),
          /** The contexts from the root to this context. */
          chain: z.array(context).readonly(),
        })
        .optional(),
      state: contextVersion.nullable().optional(),
    }),
    errors: ['CONTEXT_NOT_FOUND', 'VERSION_NOT_FOUND'],
  },
  getConversation: {
    method: 'GET',
    path: '/api/contexts/{context}/conversation',
    summary: 'Get a context with the conversation it came from, and the messages that caused it.',
    needs: 'people',
    params: one,
    status: 200,
    answer: z.object({
      context,
      conversation: z
        .object({
          conversationId: z.string(),
          messages: z
            .array(z.object({ id: z.string(), who: z.enum(['learner', 'npc']), text: z.string(), at: z.int() }))
            .readonly(),
        })
        .nullable(),
      triggerMessages: z
        .array(z.object({ id: z.string(), who: z.enum(['learner', 'npc']), text: z.string(), at: z.int() }))
        .readonly(),
    }),
    errors: ['CONTEXT_NOT_FOUND'],
  },
  getChain: {
    method: 'GET',
    path: '/api/contexts/{context}/chain',
    summary:
      'Get a context and everything around it. Lists end after `limit`; `listContexts` by `parentId` or `ancestorId` continues from `next`.',
    needs: 'read',
    params: one,
    query: z.strictObject({ limit: paging.limit }),
    status: 200,
    answer: z.object({
      current: context,
      root: context,
      parent: context.nullable(),
      /** The contexts from the root down to the parent. */
      ancestors: z.array(context).readonly(),
      children: page(context),
      siblings: page(context),
      descendants: page(context),
      depth: z.int(),
      /** Number of contexts in the lineage: this context, its ancestors and its descendants. */
      lineageNodes: z.int(),
      /** Number of contexts under the same root, the root included. */
      workflowNodes: z.int(),
    }),
    errors: ['CONTEXT_NOT_FOUND'],
  },
  updateContext: {
    method: 'PATCH',
    path: '/api/contexts/{context}',
    summary:
      'Change the status, the texts or the data of a context. Data is merged key by key; the version goes up by one.',
    needs: 'write',
    params: one,
    body: z
      .strictObject({
        status: status().optional(),
        purpose: line().optional(),
        description: line().nullable().optional().describe('Null removes it.'),
        data: contextData().optional(),
        expectedVersion: z
          .int()
          .min(1)
          .optional()
          .describe('Refused with `VERSION_CONFLICT` unless the context is at this version.'),
        by,
      })
      .refine(changesSomething, as('EMPTY_UPDATES')),
    status: 200,
    answer: context,
    errors: [
      'EMPTY_UPDATES',
      'CONTEXT_NOT_FOUND',
      'VERSION_CONFLICT',
      'INVALID_TRANSITION',
      'TOO_LONG',
      'ERASURE_RUNNING',
      'BUSY',
    ],
  },
  deleteContext: {
    method: 'DELETE',
    path: '/api/contexts/{context}',
    summary:
      'Delete a context: alone, with everything under it, or so that its children become roots or move to its parent.',
    needs: 'write',
    params: one,
    query: z.strictObject({ mode: removal }),
    status: 200,
    answer: removed,
    errors: ['CONTEXT_NOT_FOUND', 'HAS_CHILDREN', 'BUSY'],
  },
  addParticipant: {
    method: 'POST',
    path: '/api/contexts/{context}/participants',
    summary: 'Add a participant to a context and everything above it. A second time changes nothing.',
    needs: 'write',
    params: one,
    body: z.strictObject({ participant: name() }),
    status: 200,
    answer: context,
    errors: ['CONTEXT_NOT_FOUND', 'ERASURE_RUNNING', 'BUSY'],
  },
  removeParticipant: {
    method: 'DELETE',
    path: '/api/contexts/{context}/participants/{participant}',
    summary: 'Remove a participant from a context and everything under it.',
    needs: 'write',
    params: z.strictObject({ context: contextId(), participant: name() }),
    status: 200,
    answer: context,
    errors: ['CONTEXT_NOT_FOUND', 'BUSY'],
  },
  listVersions: {
    method: 'GET',
    path: '/api/contexts/{context}/versions',
    summary: 'List the states of a context, oldest first, up to the present one.',
    needs: 'read',
    params: one,
    query: z.strictObject(paging),
    status: 200,
    answer: page(contextVersion),
    errors: ['CONTEXT_NOT_FOUND', 'INVALID_CURSOR'],
  },
} as const satisfies Record<string, Operation>
