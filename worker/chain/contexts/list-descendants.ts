import type { Paging } from '../api/context-shapes.ts'
import type { Input, Output } from '../api/operations.ts'
import type { ContextStatus } from '../context.ts'
import type { Scope } from '../scope.ts'
import { is, type Sql } from './sql.ts'
import { placeOf } from './cursor.ts'
import { type List, pageOf } from './read-page.ts'
import { requireContext, type Standing } from './read-context.ts'

/**
 * A page of everything under a context, level by level and within a level by time. It goes through the workflow's contexts
 * below that level and asks of each whether its way up comes past here, which is ten looks at most; so a page has an end,
 * however wide the tree is, and a cycle has none of its own (B2-8).
 *
 * @throws ChainError CONTEXT_NOT_FOUND, INVALID_CURSOR
 */
export async function listDescendants(
  scope: Scope,
  { context, status, ...paging }: Input<'listDescendants'>,
): Promise<Output<'listDescendants'>> {
  return pageOf(scope, descendantsList(scope, await requireContext(scope, context), { status, ...paging }))
}

export function descendantsList(
  scope: Scope,
  { id, root_id, depth }: Standing,
  { status, limit, cursor }: Paging & { readonly status?: ContextStatus | undefined },
): List {
  const self = { list: 'descendants', of: { context: id, status } }
  const after = placeOf(scope, self, [0, 0, 0], cursor) ?? [depth + 1, -1, -1]
  const look: Sql = (bind) => `SELECT contexts.depth, contexts.created_at, contexts.row
    FROM contexts INDEXED BY contexts_by_level
    WHERE contexts.tenant = ?1 AND contexts.root_id = ${bind(root_id)}
      AND (contexts.depth, contexts.created_at, contexts.row) > (${after.map(bind).join(', ')})
    ORDER BY contexts.depth, contexts.created_at, contexts.row`
  const rest = [under(id), ...(status === undefined ? [] : [is('status', status)])]
  return { is: self, key: ['depth', 'created_at', 'row'], look, rest, limit }
}

/** That this context stands above it. UNION keeps no id twice, so that a way that leads in a circle ends. */
function under(id: string): Sql {
  return (bind) => {
    const self = bind(id)
    return `EXISTS (WITH RECURSIVE up (id) AS (
      SELECT contexts.parent_id
      UNION SELECT above.parent_id FROM up CROSS JOIN contexts AS above ON above.tenant = ?1 AND above.id = up.id
      WHERE up.id <> ${self}
    ) SELECT 1 FROM up WHERE up.id = ${self})`
  }
}
