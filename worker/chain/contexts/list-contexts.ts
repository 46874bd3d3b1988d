import type { ContextFilter, Paging } from '../api/context-shapes.ts'
import type { Input, Output } from '../api/operations.ts'
import type { Scope } from '../scope.ts'
import { type ListOf, type Place, placeOf } from './cursor.ts'
import { type List, pageOf } from './read-page.ts'
import { all, type Sql } from './sql.ts'
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

/** More different words than that are not looked for. */
const MOST_WORDS = 32

/**
 * Contexts whose purpose or description has all of these words, in any order and form, newest first.
 *
 * @throws ChainError INVALID_CURSOR
 */
export async function searchContexts(
  scope: Scope,
  { q, limit, cursor, ...filter }: Input<'searchContexts'>,
): Promise<Output<'searchContexts'>> {
  const self = { list: 'search', of: { q, ...filter } }
  const [before] = placeOf(scope, self, [0], cursor) ?? []
  const words = wordsOf(q)
  if (words.length === 0) return { items: [], next: null }
  const { fixed, rest } = wayInto(filter)
  const list: List = {
    is: self,
    key: ['row'],
    look: hasWords(words, before),
    rest: [() => 'contexts.tenant = ?1', ...fixed, ...createdWithin(filter), ...rest],
    limit,
  }
  return pageOf(scope, list)
}

/**
 * The words of a text, each once. Whatever is not a letter or a digit stands between words, as in the index; which letters
 * are large and small ones of each other is left to that, too.
 */
function wordsOf(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []
  return [...new Set(words)].slice(0, MOST_WORDS)
}

/**
 * In quotes a word is a word, whatever FTS5 would make of it otherwise. Side by side, and not joined by AND, those count for
 * nothing that are none to the index: an accent or a picture's variation selector by itself. The tenant's own word is made
 * as in tables/context-text.ts. The index gives its rows in their order, backwards too.
 */
function hasWords(words: readonly string[], before: number | string | undefined): Sql {
  const query = ` AND {purpose description} : (${words.map((word) => `"${word}"`).join(' ')})`
  return (bind) => `SELECT context_text.rowid AS row FROM context_text
    WHERE context_text MATCH 'owner : "t' || hex(?1) || '"' || ${bind(query)}
      ${before === undefined ? '' : `AND context_text.rowid < ${bind(before)}`}
    ORDER BY context_text.rowid DESC`
}
