import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit } from '../commit.ts'
import type { FreeData } from '../context.ts'
import type { MemoryRecord, MemoryKind } from '../memory.ts'
import { firstRow, type Scope, statement } from '../scope.ts'

/** A row of `memories`. */
export interface MemoryRow {
  readonly row: number
  readonly id: string
  readonly space: string
  readonly user_id: string | null
  readonly content: string
  readonly kind: MemoryKind
  readonly importance: number
  readonly context_id: string | null
  readonly root_id: string | null
  readonly purpose: string | null
  readonly conversation_id: string | null
  readonly message_ids: string | null
  readonly metadata: string
  readonly created_at: number
}

/** The columns of `MemoryRow`. */
export const MEMORY_COLUMNS =
  'row, id, space, user_id, content, kind, importance, context_id, root_id, purpose, conversation_id, message_ids, metadata, created_at'

export function memoryOf(row: MemoryRow): MemoryRecord {
  return {
    id: row.id,
    memorySpaceId: row.space,
    userId: row.user_id,
    content: row.content,
    kind: row.kind,
    importance: row.importance,
    contextId: row.context_id,
    rootId: row.root_id,
    workflowPurpose: row.purpose,
    conversationRef:
      row.conversation_id === null
        ? null
        : {
            conversationId: row.conversation_id,
            messageIds: row.message_ids === null ? [] : (JSON.parse(row.message_ids) as readonly string[]),
          },
    metadata: JSON.parse(row.metadata) as FreeData,
    createdAt: row.created_at,
  }
}

/**
 * Returns one memory.
 *
 * @throws ChainError MEMORY_NOT_FOUND
 */
export async function getMemory(
  scope: Scope,
  { memory }: OperationInput<'getMemory'>,
): Promise<OperationOutput<'getMemory'>> {
  const row = await firstRow<MemoryRow>(
    scope,
    `SELECT ${MEMORY_COLUMNS} FROM memories WHERE tenant = ?1 AND id = ?2`,
    memory,
  )
  if (row === null) throw noSuchMemory()
  return memoryOf(row)
}

function noSuchMemory(): ChainError {
  return new ChainError('MEMORY_NOT_FOUND', 'There is no such memory.', '/params/memory')
}

/**
 * Deletes a memory and its words in the index.
 *
 * @throws ChainError MEMORY_NOT_FOUND
 */
export async function deleteMemory(
  scope: Scope,
  { memory }: OperationInput<'deleteMemory'>,
): Promise<OperationOutput<'deleteMemory'>> {
  const write = statement(scope, 'DELETE FROM memories WHERE tenant = ?1 AND id = ?2 RETURNING id', memory)
  const committed = await commit(scope, { guards: [], writes: [write] })
  const deleted = committed.ok ? (committed.wrote[0]?.rows.length ?? 0) : 0
  if (deleted === 0) throw noSuchMemory()
  return { deleted }
}
