import { hexOf } from '../../bytes.ts'
import type { SqlValue } from '../scope.ts'

/** Which memories; all of what is given has to hold. */
export interface MemoryWhere {
  readonly memorySpaceId?: string | undefined
  readonly userId?: string | undefined
  readonly contextId?: string | undefined
  /** Of every context of this workflow. */
  readonly rootId?: string | undefined
  readonly conversationId?: string | undefined
}

/** What a filter is called in a request, in the table, and in the words of the index. */
export const FILTERS = [
  { field: 'contextId', column: 'context_id', letter: 'x' },
  { field: 'conversationId', column: 'conversation_id', letter: 'v' },
  { field: 'rootId', column: 'root_id', letter: 'r' },
  { field: 'userId', column: 'user_id', letter: 'u' },
  { field: 'memorySpaceId', column: 'space', letter: 's' },
] as const satisfies readonly { field: keyof MemoryWhere; column: string; letter: string }[]

/**
 * The conditions of a filter in SQL, the first value being `?<from>`. They are joined by AND and may be none.
 *
 * Every filter has an index, and SQLite takes the one of its choice. Several at once are found by one of them and read off
 * the rows for the others.
 */
export function conditionsOf(
  where: MemoryWhere,
  from: number,
): { sql: readonly string[]; values: readonly SqlValue[] } {
  const given = FILTERS.flatMap(({ field, column }) => {
    const value = where[field]
    return value === undefined ? [] : [{ column, value }]
  })
  return {
    sql: given.map(({ column }, at) => `${column} = ?${from + at}`),
    values: given.map(({ value }) => value),
  }
}

/**
 * The words of the index that a memory has to have to be in this scope, as a part of an FTS5 query. Made as the table makes
 * them (`tables/memories.ts`): of hexadecimal digits, so that nothing in a name can be anything else in a query.
 */
export function scopeQuery(tenant: string, where: MemoryWhere): string {
  const words = FILTERS.flatMap(({ field, letter }) => {
    const value = where[field]
    return value === undefined ? [] : [wordOf(tenant, letter, value)]
  })
  const all = words.length === 0 ? [wordOf(tenant, '', '')] : words
  return all.map((word) => `scope : "${word}"`).join(' AND ')
}

function wordOf(tenant: string, letter: string, value: string): string {
  return `t${hexText(tenant)}${letter}${hexText(value)}0`
}

function hexText(text: string): string {
  return hexOf(new TextEncoder().encode(text))
}
