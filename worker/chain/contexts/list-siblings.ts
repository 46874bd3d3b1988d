import type { Paging } from '../api/context-shapes.ts'
import type { Input, Output } from '../api/operations.ts'
import type { Scope } from '../scope.ts'
import { is } from './sql.ts'
import { placeOf } from './cursor.ts'
import { beyond, lookBy } from './list-contexts.ts'
import { type List, pageOf } from './read-page.ts'
import { requireContext, type Standing } from './read-context.ts'

/**
 * A page of the other children of a context's parent. A root has none.
 *
 * @throws ChainError CONTEXT_NOT_FOUND, INVALID_CURSOR
 */
export async function listSiblings(
  scope: Scope,
  { context, ...paging }: Input<'listSiblings'>,
): Promise<Output<'listSiblings'>> {
  return pageOf(scope, siblingsList(scope, await requireContext(scope, context), paging))
}

/** No context has no parent by that name, so that of a root nothing is found. */
export function siblingsList(scope: Scope, { id, row, parent_id }: Standing, { limit, cursor }: Paging): List {
  const self = { list: 'siblings', of: { context: id } }
  const conditions = [
    is('parent_id', parent_id ?? ''),
    ...beyond(placeOf(scope, self, [0, 0], cursor)),
    () => `contexts.row <> ${row}`,
  ]
  return {
    is: self,
    key: ['created_at', 'row'],
    look: lookBy('contexts_by_parent', conditions),
    rest: [],
    limit,
  }
}
