import type { Data } from '../context.ts'
import type { Memory, MemoryKind } from '../memory.ts'

/** A memory as it stands in its table. */
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

export function memoryOf(row: MemoryRow): Memory {
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
    metadata: JSON.parse(row.metadata) as Data,
    createdAt: row.created_at,
  }
}
