import type { Context, Page } from '../context.ts'
import { rowsTogether, type Scope, type Statement } from '../scope.ts'
import { all, type Sql, statementOf } from './sql.ts'
import { cursorOf, type ListOf, type ListPosition } from './cursor.ts'
import { CONTEXT_COLUMNS, contextOf, type ContextRow, MOST_CHILD_IDS } from './read-context.ts'

/** No page looks at more rows than that for those that fit. */
export const MOST_LOOKED_AT = 2_000
/** About how many bytes a page may have. One context is given whole, whatever it has. */
export const PAGE_BYTES = 4_000_000

/** What a list is ordered by: columns of `contexts` that together are of one row only. */
export type Key = readonly ('parent_id' | 'created_at' | 'row')[]

export interface List {
  readonly is: ListOf
  readonly key: Key
  /**
   * The rows in question in the order of the list, from the cursor on: a SELECT of the key's columns, without a LIMIT.
   * Whatever it says has to be answered by an index, one row read for each row found.
   */
  readonly look: Sql
  /** What is asked of each of these rows besides. */
  readonly rest: readonly Sql[]
  readonly limit: number
}

/** A page's statements, to be asked together. `readPage` makes a page of what they answer. */
export function pageStatements(scope: Scope, list: List, shape: PageShape = CONTEXTS): readonly Statement[] {
  const page = statementOf(scope, pageSql(list, shape))
  return list.rest.length === 0 ? [page] : [page, boundaryStatement(scope, list)]
}

/** The parts of a page's statement that are not its list. */
export interface PageShape {
  /** An expression over `contexts`: what a row weighs besides what it says itself, in bytes. */
  readonly weight?: Sql
  readonly columns: Sql
  /** What else is read of each of the page's rows. */
  readonly join?: string
}

const CONTEXTS: PageShape = { columns: () => CONTEXT_COLUMNS }

/** A page of contexts, from the answers to `pageStatements`. */
export function readPage(scope: Scope, list: List, answers: readonly (readonly object[])[]): Page<Context> {
  const found = (answers[0] ?? []) as readonly (ContextRow & PageCut)[]
  return { items: found.map(contextOf), next: nextOf(scope, list, found, answers[1] ?? []) }
}

/** A page of contexts. */
export async function pageOf(scope: Scope, list: List): Promise<Page<Context>> {
  return readPage(scope, list, await rowsTogether(scope, pageStatements(scope, list)))
}

/** What a page's rows say of where it was cut: how many more there were, as far as it has looked. */
export interface PageCut {
  readonly row: number
  readonly created_at: number
  readonly depth: number
  readonly more: number
}

/**
 * A page's rows, with all of these columns and `more`. It stands in one statement: rows are found by the list's index,
 * asked for the rest and weighed; then only those that fit into a page are read. Each step takes the rows as the one
 * before gives them, so nothing is ever sorted.
 */
export function pageSql({ look, rest, limit }: List, { weight = () => '0', columns, join = '' }: PageShape): Sql {
  return (bind) => {
    const looked = `${look(bind)} LIMIT ${rest.length === 0 ? limit + 1 : MOST_LOOKED_AT}`
    const fit = `SELECT contexts.row, ${WEIGHT} + ${weight(bind)} AS weight FROM (${looked}) AS looked
      CROSS JOIN contexts ON contexts.row = looked.row WHERE ${all(rest)(bind)} LIMIT ${limit + 1}`
    const weighed = `SELECT fit.row, row_number() OVER (ROWS UNBOUNDED PRECEDING) AS place, count(*) OVER () AS found,
      sum(fit.weight) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM (${fit}) AS fit`
    return `SELECT ${columns(bind)}, weighed.found - weighed.place AS more FROM (${weighed}) AS weighed
      CROSS JOIN contexts ON contexts.row = weighed.row ${join}
      WHERE contexts.tenant = ?1 AND weighed.place <= ${limit} AND coalesce(weighed.before, 0) < ${PAGE_BYTES}`
  }
}

/** Where a page stops looking, if there is more to look at beyond: that place, and the one after it. */
function boundaryStatement(scope: Scope, { look, key }: List): Statement {
  const columns = key.map((column) => `looked.${column}`).join(', ')
  return statementOf(
    scope,
    (bind) => `SELECT ${columns} FROM (${look(bind)} LIMIT 2 OFFSET ${MOST_LOOKED_AT - 1}) AS looked`,
  )
}

/** The cursor after a page; null when there is nothing more to look at. */
export function nextOf(
  scope: Scope,
  { is, key }: Pick<List, 'is' | 'key'>,
  found: readonly PageCut[],
  boundary: readonly object[],
): string | null {
  const last = found.at(-1)
  if (last !== undefined && last.more > 0) return cursorOf(scope, is, placeIn(last, key))
  const [stop, beyond] = boundary
  return stop && beyond ? cursorOf(scope, is, placeIn(stop, key)) : null
}

function placeIn(row: object, key: Key): ListPosition {
  return key.map((column) => (row as Readonly<Record<string, number | string>>)[column] ?? 0)
}

/** What a context is in JSON, in bytes, roughly; the sizes of texts are known without reading them. */
const WEIGHT = `500 + octet_length(contexts.data) + octet_length(contexts.purpose)
  + coalesce(octet_length(contexts.description), 0) + octet_length(contexts.participants)
  + coalesce(octet_length(contexts.message_ids), 0) + 30 * min(contexts.child_count, ${MOST_CHILD_IDS})`
