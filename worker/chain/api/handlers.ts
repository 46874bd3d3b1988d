import { addParticipant, removeParticipant } from '../contexts/participants.ts'
import { completeParents } from '../contexts/complete-parents.ts'
import { countContexts } from '../contexts/count-contexts.ts'
import { createApproval, createParallel, createSequence } from '../contexts/create-pattern.ts'
import { createContext, createFromConversation } from '../contexts/create-context.ts'
import { deleteContext } from '../contexts/delete-context.ts'
import { deleteContexts, updateContexts } from '../contexts/change-many.ts'
import { exportContextsCsv } from '../contexts/export-contexts-csv.ts'
import { exportContexts } from '../contexts/export-contexts.ts'
import { getChainAt } from '../contexts/get-chain-at.ts'
import { getChain } from '../contexts/get-chain.ts'
import { getContext, getConversation } from '../contexts/get-context.ts'
import { getRoot } from '../contexts/get-root.ts'
import { getStateAt } from '../contexts/get-state-at.ts'
import { getVersion } from '../contexts/get-version.ts'
import { grantAccess } from '../contexts/grant-access.ts'
import { listChildren } from '../contexts/list-children.ts'
import { listContexts, searchContexts } from '../contexts/list-contexts.ts'
import { listDescendants } from '../contexts/list-descendants.ts'
import { listOrphans, repairOrphans } from '../contexts/orphans.ts'
import { listSiblings } from '../contexts/list-siblings.ts'
import { listVersions } from '../contexts/versions.ts'
import { updateContext } from '../contexts/update-context.ts'
import { verifyIntegrity } from '../contexts/integrity.ts'
import { deleteFact, listFacts, putFact } from '../memories/facts.ts'
import { deleteMemory, getMemory } from '../memories/read-memory.ts'
import { listMemories } from '../memories/list-memories.ts'
import { recallMemories, searchMemories } from '../memories/search-memories.ts'
import { storeMemory } from '../memories/store-memory.ts'
import { erasePerson, getErasure } from '../people/erasure.ts'
import { exportPerson } from '../people/export-person.ts'
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
