import type { BulkFilter } from '../api/context-shapes.ts'
import { type Look, look } from '../commit.ts'
import type { ContextStatus } from '../context.ts'
import type { Scope, Statement } from '../scope.ts'
import { statementOf } from './condition.ts'
import { filteredList } from './list-contexts.ts'
import { type Cut, type List, MOST_LOOKED_AT, nextOf, pageSql } from './read-page.ts'

/** A context on a page of those that a bulk operation is about. */
export interface Found extends Cut {
  readonly id: string
  readonly version: number
  readonly status: ContextStatus
  readonly userId: string | null
  readonly children: number
}

export interface BulkPage {
  readonly found: readonly Found[]
  /** For `commit`: that the page would be the same still. */
  readonly unchanged: Statement
  /** The cursor of the page after it. */
  readonly next: string | null
}

/**
 * The contexts that fit a filter, oldest first, from a cursor on; no more than a page, and none that need not be looked at.
 *
 * @throws INVALID_CURSOR
 */
export async function bulkPage(
  scope: Scope,
  list: 'bulk-update' | 'bulk-delete',
  {
    filter,
    limit,
    cursor,
  }: { readonly filter: BulkFilter; readonly limit: number; readonly cursor?: string | undefined },
): Promise<BulkPage> {
  const asked = filteredList(scope, filter, { list, limit, cursor, pointer: '/body/cursor' })
  const { seen, unchanged } = await lookAt(scope, asked)
  const [{ found, boundary } = { found: [], boundary: [] }] = seen
  return { found, unchanged, next: nextOf(scope, asked, found, boundary) }
}

function lookAt(scope: Scope, list: List): Promise<Look<{ found: readonly Found[]; boundary: readonly object[] }>> {
  const { sql, values } = statementOf(
    scope,
    (bind) => `SELECT json_object(
      'found', (SELECT json_group_array(json_object('row', row, 'created_at', created_at, 'depth', depth, 'more', more,
        'id', id, 'version', version, 'status', status, 'userId', user_id, 'children', child_count))
        FROM (${pageSql(list, '0', COLUMNS)(bind)})),
      'boundary', (SELECT json_group_array(json_object('created_at', created_at, 'row', row))
        FROM (${list.look(bind)} LIMIT ${list.rest.length === 0 ? 0 : 2} OFFSET ${MOST_LOOKED_AT - 1}))
    ) AS seen`,
  )
  return look(scope, sql, ...values.slice(1))
}

const COLUMNS = `contexts.row, contexts.created_at, contexts.depth, contexts.id, contexts.version, contexts.status,
  contexts.user_id, contexts.child_count`
