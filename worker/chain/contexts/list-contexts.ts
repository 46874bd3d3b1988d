import type { ContextFilter, Paging } from '../api/context-shapes.ts'
import type { Input, Output } from '../api/operations.ts'
import type { Scope } from '../scope.ts'
import { all, type Sql } from './condition.ts'
import { type ListOf, type Place, placeOf } from './cursor.ts'
import { type List, pageOf } from './read-page.ts'
import { createdWithin, wayInto } from './way-in.ts'

type Order = 'oldest' | 'newest'

/**
 * A page of the contexts that fit a filter (S2-16).
 *
 * @throws ChainError INVALID_CURSOR
 */
export function listContexts(scope: Scope, input: Input<'listContexts'>): Promise<Output<'listContexts'>> {
  const { order, limit, cursor, ...filter } = input
  return pageOf(scope, filteredList(scope, filter, { list: 'contexts', order, limit, cursor }))
}

/** The contexts of a filter as a list, for whoever goes through them. */
export function filteredList(
  scope: Scope,
  filter: ContextFilter,
  {
    list,
    order = 'oldest',
    limit,
    cursor,
    pointer,
  }: Paging & { readonly list: string; readonly order?: Order; readonly pointer?: string },
): List {
  const is: ListOf = { list, of: { ...filter, order } }
  const after = placeOf(scope, is, [0, 0], cursor, pointer)
  const { index, fixed, rest } = wayInto(filter)
  const inOrder = [...fixed, ...createdWithin(filter), ...beyond(after, order)]
  return { is, key: ['created_at', 'row'], look: lookBy(index, inOrder, order), rest, limit }
}

/** The rows that an index finds for these conditions, in the order of time. */
export function lookBy(index: string, conditions: readonly Sql[], order: Order = 'oldest'): Sql {
  const direction = order === 'oldest' ? 'ASC' : 'DESC'
  return (bind) => `SELECT contexts.created_at, contexts.row FROM contexts INDEXED BY ${index}
    WHERE contexts.tenant = ?1 AND ${all(conditions)(bind)}
    ORDER BY contexts.created_at ${direction}, contexts.row ${direction}`
}

/** What comes after a place in the order of time. */
export function beyond(after: Place | null, order: Order = 'oldest'): readonly Sql[] {
  if (!after) return []
  const [createdAt = 0, row = 0] = after
  const past = order === 'oldest' ? '>' : '<'
  return [(bind) => `(contexts.created_at, contexts.row) ${past} (${bind(createdAt)}, ${bind(row)})`]
}
