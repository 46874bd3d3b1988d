import type { Context, Page } from '../context.ts'
import { rowsTogether, type Scope, type Statement } from '../scope.ts'
import { all, type Sql, statementOf } from './sql.ts'
import { cursorOf, type ListOf, type ListPosition } from './cursor.ts'
import { CONTEXT_COLUMNS, contextOf, type ContextRow, MOST_CHILD_IDS } from './read-context.ts'

/** The most rows that one page examines. */
export const MOST_LOOKED_AT = 2_000
/** Approximate limit of a page in bytes. A page contains at least one context, whatever its size. */
export const PAGE_BYTES = 4_000_000

/** The columns of `contexts` that order a list; together they are unique. */
export type Key = readonly ('parent_id' | 'created_at' | 'row')[]

export interface List {
  readonly is: ListOf
  readonly key: Key
  /**
   * Selects the key columns of the rows in the order of the list, from the cursor on, without a LIMIT. An index must
   * serve it, and read one row for each row of the result.
   */
  readonly look: Sql
  /** The conditions that each of these rows must meet. */
  readonly rest: readonly Sql[]
  readonly limit: number
}

/** Returns the statements of a page. `readPage` makes the page from their answers. */
export function pageStatements(scope: Scope, list: List, shape: PageShape = CONTEXTS): readonly Statement[] {
  const page = statementOf(scope, pageSql(list, shape))
  return list.rest.length === 0 ? [page] : [page, boundaryStatement(scope, list)]
}

/** What a page's statement selects besides its list. */
export interface PageShape {
  /** An expression over `contexts`: how many bytes a row has besides its own texts. */
  readonly weight?: Sql
  readonly columns: Sql
  /** Joins a further table, so that `columns` may select from it. */
  readonly join?: string
}

const CONTEXTS: PageShape = { columns: () => CONTEXT_COLUMNS }

/** Makes a page of contexts from the answers to `pageStatements`. */
export function readPage(scope: Scope, list: List, answers: readonly (readonly object[])[]): Page<Context> {
  const found = (answers[0] ?? []) as readonly (ContextRow & PageCut)[]
  return { items: found.map(contextOf), next: nextOf(scope, list, found, answers[1] ?? []) }
}

/** Reads a page of contexts. */
export async function pageOf(scope: Scope, list: List): Promise<Page<Context>> {
  return readPage(scope, list, await rowsTogether(scope, pageStatements(scope, list)))
}

/**
 * The columns of a row that the end of its page depends on. `more` counts the rows after this one that the page
 * examined.
 */
export interface PageCut {
  readonly row: number
  readonly created_at: number
  readonly depth: number
  readonly more: number
}

/**
 * Selects a page's rows with these columns and `more`, in one statement. It selects rows by the list's index, checks
 * and weighs them, and then reads only those that fit into the page. Each step keeps the order, so nothing is sorted.
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

/** Selects the last position that a page examines, and the one after it, if there are more rows. */
function boundaryStatement(scope: Scope, { look, key }: List): Statement {
  const columns = key.map((column) => `looked.${column}`).join(', ')
  return statementOf(
    scope,
    (bind) => `SELECT ${columns} FROM (${look(bind)} LIMIT 2 OFFSET ${MOST_LOOKED_AT - 1}) AS looked`,
  )
}

/** Returns the cursor after a page; null if there are no more rows. */
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

/** Approximate size of a context as JSON, in bytes. SQLite knows the sizes of texts without reading them. */
const WEIGHT = `500 + octet_length(contexts.data) + octet_length(contexts.purpose)
  + coalesce(octet_length(contexts.description), 0) + octet_length(contexts.participants)
  + coalesce(octet_length(contexts.message_ids), 0) + 30 * min(contexts.child_count, ${MOST_CHILD_IDS})`
