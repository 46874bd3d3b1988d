import type { Context, Page } from '../context.ts'
import { rowsTogether, type Scope, type Statement } from '../scope.ts'
import { all, type Sql, statementOf } from './sql.ts'
import { cursorOf, type ListOf, type ListPosition } from './cursor.ts'
import { CONTEXT_COLUMNS, contextOf, type ContextRow, MOST_CHILD_IDS } from './read-context.ts'

/** The most rows that one page examines. */
export const MOST_LOOKED_AT = 2_000
/** Approximate limit of a page in bytes. A page contains at least one context, however large that context is. */
export const PAGE_BYTES = 4_000_000

/**
 * The columns of `contexts` that order a list. No two rows of the list have the same values in all of these columns.
 */
export type Key = readonly ('parent_id' | 'created_at' | 'row')[]

export interface List {
  readonly is: ListOf
  readonly key: Key
  /**
   * SQL that selects the key columns of the rows after the cursor, in the order of the list, without a LIMIT. An index
   * must serve this SQL, so that SQLite reads exactly one index row for each row of the result.
   */
  readonly look: Sql
  /** The conditions that a row selected by `look` must meet to be part of the list. */
  readonly rest: readonly Sql[]
  readonly limit: number
}

/** Makes the statements that read a page. `readPage` makes the page from the results of the statements. */
export function pageStatements(scope: Scope, list: List, shape: PageShape = CONTEXTS): readonly Statement[] {
  const page = statementOf(scope, pageSql(list, shape))
  return list.rest.length === 0 ? [page] : [page, boundaryStatement(scope, list)]
}

/** What a page's statement selects for each context of the list. */
export interface PageShape {
  /** An SQL expression over `contexts`: the bytes that `columns` selects in addition to the context itself. */
  readonly weight?: Sql
  readonly columns: Sql
  /** Joins a further table, so that `columns` may select from it. */
  readonly join?: string
}

const CONTEXTS: PageShape = { columns: () => CONTEXT_COLUMNS }

/** Makes a page of contexts from the results of the statements that `pageStatements` made. */
export function readPage(scope: Scope, list: List, answers: readonly (readonly object[])[]): Page<Context> {
  const found = (answers[0] ?? []) as readonly (ContextRow & PageCut)[]
  return { items: found.map(contextOf), next: nextOf(scope, list, found, answers[1] ?? []) }
}

/** Reads a page of contexts. */
export async function pageOf(scope: Scope, list: List): Promise<Page<Context>> {
  return readPage(scope, list, await rowsTogether(scope, pageStatements(scope, list)))
}

/**
 * The columns of a page's last row that `nextOf` needs to make the next cursor. `more` is the number of further rows
 * that the page's statement found after this row.
 */
export interface PageCut {
  readonly row: number
  readonly created_at: number
  readonly depth: number
  readonly more: number
}

/**
 * Returns SQL that selects a page's rows with `columns` and `more`. The SQL takes rows from the list's index, checks
 * the conditions, adds up the sizes, and then reads only the rows that fit into the page. Each step keeps the order, so
 * SQLite sorts nothing.
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

/**
 * Makes a statement that selects the last row that a page may examine, and the row after that, if the list has so many
 * rows.
 */
function boundaryStatement(scope: Scope, { look, key }: List): Statement {
  const columns = key.map((column) => `looked.${column}`).join(', ')
  return statementOf(
    scope,
    (bind) => `SELECT ${columns} FROM (${look(bind)} LIMIT 2 OFFSET ${MOST_LOOKED_AT - 1}) AS looked`,
  )
}

/** Returns the cursor of the next page; null if the list has no more rows. */
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

/** Approximate size of a context as JSON, in bytes. SQLite knows the size of a text without reading the text. */
const WEIGHT = `500 + octet_length(contexts.data) + octet_length(contexts.purpose)
  + coalesce(octet_length(contexts.description), 0) + octet_length(contexts.participants)
  + coalesce(octet_length(contexts.message_ids), 0) + 30 * min(contexts.child_count, ${MOST_CHILD_IDS})`
