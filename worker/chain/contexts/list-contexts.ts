import type { ContextFilter, Paging } from '../api/context-shapes.ts'
import type { OperationInput, OperationOutput } from '../api/operations.ts'
import type { Scope } from '../scope.ts'
import { type ListOf, type ListPosition, readCursor } from './cursor.ts'
import { pastPage } from './past.ts'
import type { List } from './read-page.ts'
import { all, type Sql } from './sql.ts'
import { createdWithin, indexFor } from './way-in.ts'

type Order = 'oldest' | 'newest'

/**
 * Returns a page of the contexts that match a filter. With `q`: only contexts that contain all words of `q`, newest
 * first. With `at`: only contexts that existed at that time, each with its state at that time.
 *
 * @throws ChainError INVALID_CURSOR
 */
export async function listContexts(
  scope: Scope,
  { order, limit, cursor, history = false, q, ...filter }: ListRequest,
): Promise<OperationOutput<'listContexts'>> {
  const list =
    q === undefined
      ? filteredList(scope, filter, { list: 'contexts', order, limit, cursor })
      : worded(scope, { ...filter, q }, { limit, cursor })
  return list === null ? { items: [], next: null } : await pastPage(scope, list, { history, at: filter.at })
}

type ListInput = OperationInput<'listContexts'>
type ListRequest = Omit<ListInput, 'order' | 'history'> & Partial<Pick<ListInput, 'order' | 'history'>>

/** A filter of contexts. `at` is a time, and leaves out contexts that did not exist yet at that time. */
export type ListFilter = ContextFilter & { readonly at?: number | undefined }

/** Makes a list of the contexts that match a filter. */
export function filteredList(
  scope: Scope,
  filter: ListFilter,
  {
    list,
    order = 'oldest',
    limit,
    cursor,
    pointer,
  }: Paging & { readonly list: string; readonly order?: Order | undefined; readonly pointer?: string },
): List {
  const is: ListOf = { list, of: { ...filter, order } }
  const after = readCursor(scope, is, [0, 0], cursor, pointer)
  const { index, fixed, rest } = indexFor(filter)
  const inOrder = [...fixed, ...createdWithin(filter), ...thereAt(filter), ...beyond(after, order)]
  return { is, key: ['created_at', 'row'], look: lookBy(index, inOrder, order), rest, limit }
}

function thereAt({ at }: ListFilter): readonly Sql[] {
  return at === undefined ? [] : [(bind) => `contexts.created_at <= ${bind(at)}`]
}

/** Returns SQL that uses an index to select the rows that meet all conditions, in the order of creation. */
export function lookBy(index: string, conditions: readonly Sql[], order: Order = 'oldest'): Sql {
  const direction = order === 'oldest' ? 'ASC' : 'DESC'
  return (bind) => `SELECT contexts.created_at, contexts.row FROM contexts INDEXED BY ${index}
    WHERE contexts.tenant = ?1 AND ${all(conditions)(bind)}
    ORDER BY contexts.created_at ${direction}, contexts.row ${direction}`
}

/**
 * Returns the SQL condition for the rows after a position, in the order of creation. For the position null, there is no
 * condition.
 */
export function beyond(after: ListPosition | null, order: Order = 'oldest'): readonly Sql[] {
  if (!after) return []
  const [createdAt = 0, row = 0] = after
  const past = order === 'oldest' ? '>' : '<'
  return [(bind) => `(contexts.created_at, contexts.row) ${past} (${bind(createdAt)}, ${bind(row)})`]
}

/** The most different words that a search uses. */
const MOST_WORDS = 32

/** Makes a list of the contexts that contain all words of `q`, in any order and inflection; null if `q` has no word. */
function worded(
  scope: Scope,
  { q, ...filter }: ListFilter & { readonly q: string },
  { limit, cursor }: Paging,
): List | null {
  const is: ListOf = { list: 'words', of: { q, ...filter } }
  const [before] = readCursor(scope, is, [0], cursor) ?? []
  const words = wordsOf(q)
  if (words.length === 0) return null
  const { fixed, rest } = indexFor(filter)
  const all: readonly Sql[] = [
    () => 'contexts.tenant = ?1',
    ...fixed,
    ...createdWithin(filter),
    ...thereAt(filter),
    ...rest,
  ]
  return { is, key: ['row'], look: hasWords(words, before), rest: all, limit }
}

/**
 * Splits a text into its different words. A word consists of letters and digits, as in the search index. The words keep
 * their upper and lower case, because the index ignores case.
 */
function wordsOf(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []
  return [...new Set(words)].slice(0, MOST_WORDS)
}

/**
 * Returns SQL with an FTS5 query for words. The words are quoted, so that FTS5 does not read a word as an operator.
 * Blanks separate the words, not AND: with AND, a word of which the index keeps nothing, such as an accent alone, would
 * match nothing. The `owner` word, which restricts the search to the tenant, is made as in tables/context-text.ts.
 */
function hasWords(words: readonly string[], before: number | string | undefined): Sql {
  const query = ` AND {purpose description} : (${words.map((word) => `"${word}"`).join(' ')})`
  return (bind) => `SELECT context_text.rowid AS row FROM context_text
    WHERE context_text MATCH 'owner : "t' || hex(?1) || '"' || ${bind(query)}
      ${before === undefined ? '' : `AND context_text.rowid < ${bind(before)}`}
    ORDER BY context_text.rowid DESC`
}
