import type { OperationName } from '../api/operations.ts'

/**
 * The method and path of each operation. The list repeats `api/operations.ts`, so that a web page loads this list
 * without the zod schemas. A test checks that both files agree ([api-10]).
 */
export const PATHS = {
  createContext: 'POST /api/contexts',
  createPattern: 'POST /api/contexts/patterns',
  listContexts: 'GET /api/contexts',
  countContexts: 'GET /api/contexts/count',
  exportContexts: 'GET /api/contexts/export',
  repairOrphans: 'POST /api/contexts/integrity/repair',
  verifyIntegrity: 'GET /api/contexts/integrity',
  updateContexts: 'PATCH /api/contexts',
  deleteContexts: 'POST /api/contexts/delete',
  getContext: 'GET /api/contexts/{context}',
  getConversation: 'GET /api/contexts/{context}/conversation',
  getChain: 'GET /api/contexts/{context}/chain',
  updateContext: 'PATCH /api/contexts/{context}',
  deleteContext: 'DELETE /api/contexts/{context}',
  addParticipant: 'POST /api/contexts/{context}/participants',
  removeParticipant: 'DELETE /api/contexts/{context}/participants/{participant}',
  listVersions: 'GET /api/contexts/{context}/versions',
  storeMemory: 'POST /api/memories',
  listMemories: 'GET /api/memories',
  getMemory: 'GET /api/memories/{memory}',
  deleteMemory: 'DELETE /api/memories/{memory}',
  listFacts: 'GET /api/people/{user}/facts',
  putFact: 'PUT /api/people/{user}/facts/{key}',
  deleteFact: 'DELETE /api/people/{user}/facts/{key}',
  getPerson: 'GET /api/people/{user}',
  exportPerson: 'GET /api/people/{user}/export',
  erasePerson: 'POST /api/people/{user}/erasure',
  getErasure: 'GET /api/erasures/{erasure}',
  grantAccess: 'POST /api/grants',
  listGrants: 'GET /api/grants',
  revokeGrant: 'DELETE /api/grants/{grant}',
} as const satisfies Readonly<Record<OperationName, `${string} /api/${string}`>>
