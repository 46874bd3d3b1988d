import { commit } from '../../../worker/chain/commit.ts'
import type { ContextStatus, FreeData } from '../../../worker/chain/context.ts'
import { type Scope, statement, type SqlValue } from '../../../worker/chain/scope.ts'

/** A context that a test writes directly into the table. Missing fields get default values. */
export interface Planted {
  readonly id: string
  readonly parentId?: string | null
  readonly rootId?: string
  readonly depth?: number
  readonly purpose?: string
  readonly description?: string | null
  readonly space?: string
  readonly userId?: string | null
  readonly conversationId?: string | null
  readonly messageIds?: readonly string[]
  readonly data?: FreeData
  readonly status?: ContextStatus
  readonly createdAt?: number
  readonly completedAt?: number | null
}

/** When the first planted context was created; each later one is a millisecond newer. */
export const PLANTED_AT = 1_700_000_000_000

const AT_ONCE = 500

/**
 * Writes contexts directly into the table in the given order, consistent or not. Roots and depths are derived from
 * parents that come earlier in the list.
 */
export async function plant(scope: Scope, contexts: readonly Planted[]): Promise<void> {
  const placed = new Map<string, { rootId: string; depth: number }>()
  const written = contexts.map((context, at) => {
    const above = context.parentId === undefined || context.parentId === null ? null : placed.get(context.parentId)
    const rootId = context.rootId ?? above?.rootId ?? context.id
    const depth = context.depth ?? (above ? above.depth + 1 : 0)
    placed.set(context.id, { rootId, depth })
    return {
      purpose: `work on ${context.id}`,
      space: 'desk',
      status: 'active',
      createdAt: PLANTED_AT + at,
      ...context,
      rootId,
      depth,
      data: JSON.stringify(context.data ?? {}),
      messageIds: context.messageIds && JSON.stringify(context.messageIds),
    }
  })
  for (let from = 0; from < written.length; from += AT_ONCE)
    await change(scope, INSERT, JSON.stringify(written.slice(from, from + AT_ONCE)))
}

/** Changes a table directly, without an operation of the chain. The tenant is `?1`. */
export async function change(scope: Scope, sql: string, ...values: readonly SqlValue[]): Promise<void> {
  await commit(scope, { guards: [], writes: [statement(scope, sql, ...values)] })
}

const INSERT = `INSERT INTO contexts (tenant, id, parent_id, root_id, depth, purpose, description, space, user_id,
    participants, conversation_id, message_ids, data, status, auto_complete, created_at, updated_at, completed_at, version,
    updated_by)
  SELECT ?1, new.value ->> 'id', new.value ->> 'parentId', new.value ->> 'rootId', new.value ->> 'depth',
    new.value ->> 'purpose', new.value ->> 'description', new.value ->> 'space', new.value ->> 'userId',
    json_array(new.value ->> 'space'), new.value ->> 'conversationId', new.value ->> 'messageIds',
    new.value ->> 'data', new.value ->> 'status', 'never', new.value ->> 'createdAt', new.value ->> 'createdAt',
    new.value ->> 'completedAt', 1, 'tests'
  FROM json_each(?2) AS new ORDER BY new.key`
