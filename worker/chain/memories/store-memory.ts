import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit, guard, untilCommitted } from '../commit.ts'
import type { ConversationRef } from '../context.ts'
import { noneBeingErased, refuseWhileErased } from '../people/tombstones.ts'
import { firstRow, type Scope, type Statement, statement } from '../scope.ts'
import { MEMORY_COLUMNS, memoryOf, type MemoryRow } from './read-memory.ts'

/**
 * Stores a memory. The memory takes the root and the purpose from its context. It also takes the conversation and the
 * person from its context, unless the request gives others.
 *
 * @throws ChainError CONTEXT_NOT_FOUND, MEMORY_EXISTS, ERASURE_RUNNING, BUSY
 */
export async function storeMemory(
  scope: Scope,
  input: OperationInput<'storeMemory'>,
): Promise<OperationOutput<'storeMemory'>> {
  const id = input.id ?? scope.newId('mem')
  const createdAt = scope.now()
  const stored = await untilCommitted(async () => {
    const context = await contextFor(scope, input.contextId)
    const memory = { ...input, ...inherited(input, context), id, createdAt }
    const guards = [
      guard(scope, 'NOT EXISTS (SELECT 1 FROM memories WHERE tenant = ?1 AND id = ?2)', id),
      ...(context ? [sameContext(scope, context)] : []),
      ...(await noneBeingErased(scope, [memory.userId, memory.memorySpaceId])),
    ]
    const committed = await commit(scope, { guards, writes: [memoryInsert(scope, memory)] })
    const row = committed.ok ? (committed.wrote[0]?.rows[0] as unknown as MemoryRow | undefined) : undefined
    if (row) return memoryOf(row)
    await refuseWhileErased(scope, [memory.userId, memory.memorySpaceId])
    if (await isThere(scope, id))
      throw new ChainError('MEMORY_EXISTS', 'There is a memory of this id already.', '/body/id')
    return null
  })
  if (stored === null) throw new ChainError('BUSY', 'Too many write here at once. Try again in a moment.')
  return stored
}

/** A memory that is not written yet, with the fields that it takes from its context. */
export interface MemoryToStore {
  readonly id: string
  readonly memorySpaceId: string
  readonly userId: string | null
  readonly content: string
  readonly kind: MemoryRow['kind']
  readonly importance: number
  readonly contextId?: string | undefined
  readonly rootId: string | null
  readonly purpose: string | null
  readonly conversationRef: ConversationRef | null
  readonly metadata: object
  readonly createdAt: number
}

/**
 * Makes the SQL statement that writes one memory, for a larger transaction. It writes nothing if the memory's id
 * exists.
 */
export function memoryInsert(scope: Pick<Scope, 'tenant'>, memory: MemoryToStore): Statement {
  return statement(
    scope,
    `INSERT INTO memories (tenant, id, space, user_id, content, kind, importance, context_id, root_id, purpose,
       conversation_id, message_ids, metadata, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
     ON CONFLICT (tenant, id) DO NOTHING RETURNING ${MEMORY_COLUMNS}`,
    memory.id,
    memory.memorySpaceId,
    memory.userId,
    memory.content,
    memory.kind,
    memory.importance,
    memory.contextId ?? null,
    memory.rootId,
    memory.purpose,
    memory.conversationRef?.conversationId ?? null,
    memory.conversationRef === null ? null : JSON.stringify(memory.conversationRef.messageIds),
    JSON.stringify(memory.metadata),
    memory.createdAt,
  )
}

interface ContextRow {
  readonly id: string
  readonly root_id: string
  readonly purpose: string
  readonly user_id: string | null
  readonly conversation_id: string | null
  readonly message_ids: string | null
}

async function contextFor(scope: Scope, id: string | undefined): Promise<ContextRow | null> {
  if (id === undefined) return null
  const context = await firstRow<ContextRow>(
    scope,
    'SELECT id, root_id, purpose, user_id, conversation_id, message_ids FROM contexts WHERE tenant = ?1 AND id = ?2',
    id,
  )
  if (context === null) throw new ChainError('CONTEXT_NOT_FOUND', 'There is no such context.', '/body/contextId')
  return context
}

/**
 * Returns the fields that a memory takes from its context. If the request names no person, the memory takes the
 * context's person, so that an erasure of the person deletes the memory.
 */
function inherited(
  { userId, conversationRef }: Pick<OperationInput<'storeMemory'>, 'userId' | 'conversationRef'>,
  context: ContextRow | null,
): Pick<MemoryToStore, 'userId' | 'rootId' | 'purpose' | 'conversationRef'> {
  const own = {
    userId: userId ?? context?.user_id ?? null,
    rootId: context?.root_id ?? null,
    purpose: context?.purpose ?? null,
  }
  if (conversationRef || !context || context.conversation_id === null)
    return { ...own, conversationRef: conversationRef ?? null }
  const messageIds = JSON.parse(context.message_ids ?? '[]') as readonly string[]
  return { ...own, conversationRef: { conversationId: context.conversation_id, messageIds } }
}

function sameContext(scope: Scope, { id, root_id, purpose, user_id, conversation_id }: ContextRow): Statement {
  return guard(
    scope,
    `EXISTS (SELECT 1 FROM contexts WHERE tenant = ?1 AND id = ?2 AND root_id = ?3 AND purpose = ?4 AND user_id IS ?5
       AND conversation_id IS ?6)`,
    id,
    root_id,
    purpose,
    user_id,
    conversation_id,
  )
}

async function isThere(scope: Scope, id: string): Promise<boolean> {
  return (await firstRow(scope, 'SELECT 1 FROM memories WHERE tenant = ?1 AND id = ?2', id)) !== null
}
