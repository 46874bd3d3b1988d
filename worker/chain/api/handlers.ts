import { addParticipant } from '../contexts/add-participant.ts'
import { completeParents } from '../contexts/complete-parents.ts'
import { countContexts } from '../contexts/count-contexts.ts'
import { createApproval } from '../contexts/create-approval.ts'
import { createContext } from '../contexts/create-context.ts'
import { createFromConversation } from '../contexts/create-from-conversation.ts'
import { createParallel } from '../contexts/create-parallel.ts'
import { createSequence } from '../contexts/create-sequence.ts'
import { deleteContext } from '../contexts/delete-context.ts'
import { deleteContexts } from '../contexts/delete-contexts.ts'
import { exportContextsCsv } from '../contexts/export-contexts-csv.ts'
import { exportContexts } from '../contexts/export-contexts.ts'
import { getChainAt } from '../contexts/get-chain-at.ts'
import { getChain } from '../contexts/get-chain.ts'
import { getContext } from '../contexts/get-context.ts'
import { getConversation } from '../contexts/get-conversation.ts'
import { getRoot } from '../contexts/get-root.ts'
import { getStateAt } from '../contexts/get-state-at.ts'
import { getVersion } from '../contexts/get-version.ts'
import { grantAccess } from '../contexts/grant-access.ts'
import { listChildren } from '../contexts/list-children.ts'
import { listContexts } from '../contexts/list-contexts.ts'
import { listDescendants } from '../contexts/list-descendants.ts'
import { listOrphans } from '../contexts/list-orphans.ts'
import { listSiblings } from '../contexts/list-siblings.ts'
import { listVersions } from '../contexts/list-versions.ts'
import { removeParticipant } from '../contexts/remove-participant.ts'
import { repairOrphans } from '../contexts/repair-orphans.ts'
import { searchContexts } from '../contexts/search-contexts.ts'
import { updateContext } from '../contexts/update-context.ts'
import { updateContexts } from '../contexts/update-contexts.ts'
import { verifyIntegrity } from '../contexts/verify-integrity.ts'
import { deleteFact } from '../memories/delete-fact.ts'
import { deleteMemory } from '../memories/delete-memory.ts'
import { getMemory } from '../memories/get-memory.ts'
import { listFacts } from '../memories/list-facts.ts'
import { listMemories } from '../memories/list-memories.ts'
import { putFact } from '../memories/put-fact.ts'
import { recallMemories } from '../memories/recall-memories.ts'
import { searchMemories } from '../memories/search-memories.ts'
import { storeMemory } from '../memories/store-memory.ts'
import { erasePerson } from '../people/erase-person.ts'
import { exportPerson } from '../people/export-person.ts'
import { getErasure } from '../people/get-erasure.ts'
import { getPerson } from '../people/get-person.ts'
import type { Scope } from '../scope.ts'
import type { Input, OperationName, Output } from './operations.ts'

type Handlers = { readonly [N in OperationName]: (scope: Scope, input: Input<N>) => Promise<Output<N>> }

/** What each operation of the API does, by its name. */
export const handlers: Handlers = {
  createContext,
  createFromConversation,
  createSequence,
  createApproval,
  createParallel,
  listContexts,
  countContexts,
  searchContexts,
  exportContexts,
  exportContextsCsv,
  listOrphans,
  repairOrphans,
  verifyIntegrity,
  updateContexts,
  deleteContexts,
  getContext,
  getConversation,
  getChain,
  listChildren,
  listDescendants,
  listSiblings,
  getRoot,
  updateContext,
  completeParents,
  deleteContext,
  addParticipant,
  removeParticipant,
  grantAccess,
  listVersions,
  getVersion,
  getStateAt,
  getChainAt,
  storeMemory,
  listMemories,
  searchMemories,
  recallMemories,
  getMemory,
  deleteMemory,
  listFacts,
  putFact,
  deleteFact,
  getPerson,
  exportPerson,
  erasePerson,
  getErasure,
}
