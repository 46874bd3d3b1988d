import { hexOf } from '../../bytes.ts'
import type { SqlValue } from '../scope.ts'

/** A filter of memories. A memory must match all given fields. */
export interface MemoryWhere {
  readonly memorySpaceId?: string | undefined
  readonly userId?: string | undefined
  readonly contextId?: string | undefined
  /** The root of a workflow. It selects the memories of all contexts of the workflow. */
  readonly rootId?: string | undefined
  readonly conversationId?: string | undefined
}

/** The name of each filter in a request, its column, and its letter in the words of the index. */
const FILTERS = [
  { field: 'contextId', column: 'context_id', letter: 'x' },
  { field: 'conversationId', column: 'conversation_id', letter: 'v' },
  { field: 'rootId', column: 'root_id', letter: 'r' },
  { field: 'userId', column: 'user_id', letter: 'u' },
  { field: 'memorySpaceId', column: 'space', letter: 's' },
] as const satisfies readonly { field: keyof MemoryWhere; column: string; letter: string }[]

/**
 * Returns the conditions of a filter in SQL, with values from `?<from>` on. There may be none.
 *
 * Each filter has an index. SQLite chooses one and checks the others on each row.
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
 * Returns the words of the index that a memory in this scope has, as a part of an FTS5 query. They are hexadecimal, as
 * the table makes them (`tables/memories.ts`), so no name can be an operator.
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
