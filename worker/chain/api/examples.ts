import type * as z from 'zod'
import type { OperationName, operations } from './operations.ts'

const CONTEXT = 'ctx_7hK2pQd9sWxYz0aB'
const MEMORY = 'mem_4fR8tLmN1vCbXe6G'

/**
 * A valid request for each operation, as JSON. The OpenAPI document shows these requests, and tests make bad requests
 * from them.
 */
export const examples: { readonly [N in OperationName]: Example<N> } = {
  createContext: {
    body: {
      purpose: 'Approve the refund of order 4711',
      memorySpaceId: 'supervisor-agent',
      userId: 'user-123',
      data: { amount: 500 },
    },
  },
  createPattern: {
    body: {
      pattern: 'sequence',
      purpose: 'Onboard a supplier',
      memorySpaceId: 'operations',
      autoComplete: 'all-completed',
      steps: [
        { purpose: 'Collect the documents', memorySpaceId: 'intake-agent' },
        { purpose: 'Check the accounts', memorySpaceId: 'finance-agent' },
      ],
    },
  },
  listContexts: { query: { memorySpaceId: 'supervisor-agent', status: 'active', limit: '50' } },
  countContexts: { query: { depth: '0' } },
  exportContexts: { query: { rootId: CONTEXT, history: 'true' } },
  repairOrphans: { body: { mode: 'promote' } },
  verifyIntegrity: { query: { limit: '100' } },
  updateContexts: {
    body: { filter: { memorySpaceId: 'support-agent', status: 'active' }, updates: { data: { shift: 'night' } } },
  },
  deleteContexts: { body: { filter: { memorySpaceId: 'trial-agent' }, mode: 'cascade' } },
  getContext: { params: { context: CONTEXT }, query: { inherited: 'true', at: '2026-11-20T09:00:00Z' } },
  getConversation: { params: { context: CONTEXT } },
  getChain: { params: { context: CONTEXT }, query: { limit: '100' } },
  updateContext: {
    params: { context: CONTEXT },
    body: { status: 'completed', data: { approved: true }, expectedVersion: 1, by: 'manager' },
  },
  deleteContext: { params: { context: CONTEXT }, query: { mode: 'leaf' } },
  addParticipant: { params: { context: CONTEXT }, body: { participant: 'finance-agent' } },
  removeParticipant: { params: { context: CONTEXT, participant: 'finance-agent' } },
  listVersions: { params: { context: CONTEXT }, query: {} },
  storeMemory: {
    body: {
      memorySpaceId: 'support-agent',
      content: 'Prefers to be called in the morning.',
      importance: 70,
      userId: 'user-123',
      metadata: { channel: 'phone' },
    },
  },
  listMemories: { query: { memorySpaceId: 'support-agent' } },
  getMemory: { params: { memory: MEMORY } },
  deleteMemory: { params: { memory: MEMORY } },
  listFacts: { params: { user: 'user-123' }, query: {} },
  putFact: {
    params: { user: 'user-123', key: 'preferred-hours' },
    body: { value: 'mornings', source: 'crm', confidence: 0.9 },
  },
  deleteFact: { params: { user: 'user-123', key: 'preferred-hours' } },
  getPerson: { params: { user: 'user-123' } },
  exportPerson: { params: { user: 'user-123' } },
  erasePerson: { params: { user: 'user-123' }, body: { dryRun: true } },
  getErasure: { params: { erasure: 'era_kq3vX0mZyT1wLr8e' } },
  grantAccess: {
    body: {
      contextId: CONTEXT,
      person: 'user-123',
      operations: ['getContext', 'listContexts'],
      under: true,
      expiresAt: '2026-12-24T12:00:00Z',
    },
  },
  listGrants: { query: { person: 'user-123', limit: '50' } },
  revokeGrant: { params: { grant: 'grt_2nVb6QxTz9LkRw4e' } },
}

type Operations = typeof operations
type Example<N extends OperationName> = {
  readonly [
    P in 'params' | 'query' | 'body' as Operations[N] extends Readonly<Record<P, unknown>> ? P : never
  ]: ExamplePart<Operations[N], P>
}
type ExamplePart<O, P extends string> = O extends { readonly [K in P]: infer S }
  ? S extends z.ZodType
    ? z.input<S>
    : never
  : never
