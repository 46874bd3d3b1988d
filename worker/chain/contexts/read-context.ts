import { ChainError } from '../chain-error.ts'
import { type CommitResult, guard } from '../commit.ts'
import type { AutoComplete, Context, ContextStatus, FreeData } from '../context.ts'
import { firstRow, type Scope, type Statement, statement } from '../scope.ts'

/** The most ids in a context's `childIds`. `childCount` counts all children, and `listContexts` lists all children. */
export const MOST_CHILD_IDS = 1_000

/** A row of `contexts` with the columns of `CONTEXT_COLUMNS`. */
export interface ContextRow {
  readonly row: number
  readonly id: string
  readonly parent_id: string | null
  readonly root_id: string
  readonly depth: number
  readonly purpose: string
  readonly description: string | null
  readonly space: string
  readonly user_id: string | null
  readonly participants: string
  readonly conversation_id: string | null
  readonly message_ids: string | null
  readonly data: string
  readonly status: ContextStatus
  readonly auto_complete: AutoComplete
  readonly created_at: number
  readonly updated_at: number
  readonly completed_at: number | null
  readonly version: number
  readonly updated_by: string
  readonly child_count: number
  readonly child_ids: string
}

/** The columns of `contexts` that `contextOf` reads. The tenant is `?1`. The child ids come from a covering index. */
export const CONTEXT_COLUMNS = `contexts.row, contexts.id, contexts.parent_id, contexts.root_id, contexts.depth,
  contexts.purpose, contexts.description, contexts.space, contexts.user_id, contexts.participants,
  contexts.conversation_id, contexts.message_ids, contexts.data, contexts.status, contexts.auto_complete,
  contexts.created_at, contexts.updated_at, contexts.completed_at, contexts.version, contexts.updated_by,
  contexts.child_count,
  CASE contexts.child_count WHEN 0 THEN '[]' ELSE (SELECT json_group_array(first_children.id) FROM (
    SELECT child.id FROM contexts AS child INDEXED BY contexts_by_parent
    WHERE child.tenant = ?1 AND child.parent_id = contexts.id
    ORDER BY child.created_at, child.row LIMIT ${MOST_CHILD_IDS}) AS first_children) END AS child_ids`

/**
 * Selects the contexts whose ids are in a JSON list (`?2`), in the order of the list. Ids without a context are left
 * out.
 */
const CONTEXTS_BY_ID = `SELECT ${CONTEXT_COLUMNS} FROM json_each(?2) AS wanted
  CROSS JOIN contexts ON contexts.tenant = ?1 AND contexts.id = wanted.value ORDER BY wanted.key`

/** Converts a row with `CONTEXT_COLUMNS` to a context of the API. */
export function contextOf(columns: object): Context {
  const row = columns as ContextRow
  return {
    id: row.id,
    parentId: row.parent_id,
    rootId: row.root_id,
    depth: row.depth,
    purpose: row.purpose,
    description: row.description,
    memorySpaceId: row.space,
    userId: row.user_id,
    childIds: jsonOf(row.child_ids),
    childCount: row.child_count,
    participants: jsonOf(row.participants),
    conversationRef:
      row.conversation_id === null
        ? null
        : { conversationId: row.conversation_id, messageIds: jsonOf(row.message_ids ?? '[]') },
    data: jsonOf<FreeData>(row.data),
    status: row.status,
    autoComplete: row.auto_complete,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    version: row.version,
    updatedBy: row.updated_by,
  }
}

/** Returns the context with an id; null if the context does not exist. */
export async function contextById(scope: Scope, id: string): Promise<Context | null> {
  const sql = `SELECT ${CONTEXT_COLUMNS} FROM contexts WHERE contexts.tenant = ?1 AND contexts.id = ?2`
  const row = await firstRow<ContextRow>(scope, sql, id)
  return row && contextOf(row)
}

/** Parses JSON that this code has written. */
export function jsonOf<T>(text: string): T {
  return JSON.parse(text) as T
}

/** A context's position in the tree, from which its ancestors, siblings and descendants can be listed. */
export interface ContextPosition {
  readonly row: number
  readonly id: string
  readonly parent_id: string | null
  readonly root_id: string
  readonly depth: number
}

/**
 * Reads a context's position.
 *
 * @throws ChainError CONTEXT_NOT_FOUND
 */
export async function requireContext(scope: Scope, id: string): Promise<ContextPosition> {
  const sql = 'SELECT row, id, parent_id, root_id, depth FROM contexts WHERE tenant = ?1 AND id = ?2'
  return (await firstRow<ContextPosition>(scope, sql, id)) ?? contextNotFound()
}

export function contextNotFound(): never {
  throw new ChainError('CONTEXT_NOT_FOUND', 'There is no context of this id.', '/params/context')
}

/**
 * Makes a statement that selects contexts by their ids. In a commit, the statement must come last, because `written`
 * reads the rows of the last statement.
 */
export function theseContexts(scope: Scope, ids: readonly string[]): Statement {
  return statement(scope, CONTEXTS_BY_ID, JSON.stringify(ids))
}

/** Returns the contexts that the statement of `theseContexts` has selected in a commit. */
export function written(done: Extract<CommitResult, { ok: true }>): readonly Context[] {
  const rows = done.wrote.at(-1)?.rows ?? []
  return rows.map((row) => contextOf(row as unknown as ContextRow))
}

/** Returns a guard that holds while a context is at the given version. */
export function sameVersion(scope: Scope, id: string, version: number): Statement {
  return guard(scope, 'EXISTS (SELECT 1 FROM contexts WHERE tenant = ?1 AND id = ?2 AND version = ?3)', id, version)
}
