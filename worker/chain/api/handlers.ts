import { createPattern } from '../contexts/create-pattern.ts'
import { addParticipant, removeParticipant } from '../contexts/participants.ts'
import { countContexts } from '../contexts/count-contexts.ts'
import { createContext } from '../contexts/create-context.ts'
import { deleteContext } from '../contexts/delete-context.ts'
import { deleteContexts, updateContexts } from '../contexts/change-many.ts'
import { exportContexts } from '../contexts/export-contexts.ts'
import { getChain } from '../contexts/get-chain.ts'
import { getContext, getConversation } from '../contexts/get-context.ts'
import { listContexts } from '../contexts/list-contexts.ts'
import { repairOrphans } from '../contexts/orphans.ts'
import { listVersions } from '../contexts/versions.ts'
import { updateContext } from '../contexts/update-context.ts'
import { verifyIntegrity } from '../contexts/integrity.ts'
import { grantAccess, listGrants, revokeGrant } from '../grants/grants.ts'
import { deleteFact, listFacts, putFact } from '../memories/facts.ts'
import { deleteMemory, getMemory } from '../memories/read-memory.ts'
import { listMemories } from '../memories/list-memories.ts'
import { storeMemory } from '../memories/store-memory.ts'
import { erasePerson, getErasure } from '../people/erasure.ts'
import { exportPerson } from '../people/export-person.ts'
import { getPerson } from '../people/get-person.ts'
import type { Scope } from '../scope.ts'
import type { OperationInput, OperationName, OperationOutput } from './operations.ts'

type Handlers = {
  readonly [N in OperationName]: (scope: Scope, input: OperationInput<N>) => Promise<OperationOutput<N>>
}

/** The function that implements each operation of the API, by the operation's name. */
export const handlers: Handlers = {
  createContext,
  createPattern,
  listContexts,
  countContexts,
  exportContexts,
  repairOrphans,
  verifyIntegrity,
  updateContexts,
  deleteContexts,
  getContext,
  getConversation,
  getChain,
  updateContext,
  deleteContext,
  addParticipant,
  removeParticipant,
  listVersions,
  storeMemory,
  listMemories,
  getMemory,
  deleteMemory,
  listFacts,
  putFact,
  deleteFact,
  getPerson,
  exportPerson,
  erasePerson,
  getErasure,
  grantAccess,
  listGrants,
  revokeGrant,
}
