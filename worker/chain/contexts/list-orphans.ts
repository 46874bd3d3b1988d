import type { Input, Output } from '../api/operations.ts'
import type { Scope } from '../scope.ts'
import type { Sql } from './condition.ts'
import { placeOf } from './cursor.ts'
import { pageOf } from './read-page.ts'

/**
 * A page of the contexts whose parent is not there (S2-17), by the parent they name. Which those are is known beforehand
 * (tables/context-counts.ts), so that nothing else is looked at.
 *
 * @throws ChainError INVALID_CURSOR
 */
export function listOrphans(scope: Scope, { limit, cursor }: Input<'listOrphans'>): Promise<Output<'listOrphans'>> {
  const self = { list: 'orphans', of: {} }
  const [parent = '', createdAt = -1, row = -1] = placeOf(scope, self, ['', 0, 0], cursor) ?? []
  const look = orphansAfter({ parent, createdAt, row }, limit + 1)
  return pageOf(scope, { is: self, key: ['parent_id', 'created_at', 'row'], look, rest: [], limit })
}

/**
 * Orphans in order from a place on: first those that are left of its parent, then those of the parents after it. As one
 * condition it would go through all of that parent's children again.
 */
export function orphansAfter(
  { parent, createdAt, row }: Readonly<Record<'parent' | 'createdAt' | 'row', number | string>>,
  most: number,
): Sql {
  const columns = 'contexts.parent_id, contexts.created_at, contexts.row, contexts.id'
  const joined = `missing_parents CROSS JOIN contexts INDEXED BY contexts_by_parent
    ON contexts.tenant = ?1 AND contexts.parent_id = missing_parents.id`
  return (bind) => {
    const after = bind(parent)
    return `SELECT * FROM (
        SELECT ${columns} FROM ${joined}
        WHERE missing_parents.tenant = ?1 AND missing_parents.id = ${after}
          AND (contexts.created_at, contexts.row) > (${bind(createdAt)}, ${bind(row)})
        ORDER BY contexts.created_at, contexts.row LIMIT ${most}
      ) AS rest_of_parent
      UNION ALL SELECT * FROM (
        SELECT ${columns} FROM ${joined}
        WHERE missing_parents.tenant = ?1 AND missing_parents.id > ${after}
        ORDER BY missing_parents.id, contexts.created_at, contexts.row LIMIT ${most}
      ) AS next_parents`
  }
}
