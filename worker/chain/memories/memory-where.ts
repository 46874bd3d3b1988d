import { hexOf } from '../../bytes.ts'
import type { SqlValue } from '../scope.ts'

/** A filter of memories. A memory must match all given fields. */
export interface MemoryWhere {
  readonly memorySpaceId?: string | undefined
  readonly userId?: string | undefined
  readonly contextId?: string | undefined
  /** The root of a workflow: the filter then matches the memories of all contexts of the workflow. */
  readonly rootId?: string | undefined
  readonly conversationId?: string | undefined
}

/**
 * Each field of a filter with its column in `memories`, and with the letter that marks the field in the full-text
 * index.
 */
const FILTERS = [
  { field: 'contextId', column: 'context_id', letter: 'x' },
  { field: 'conversationId', column: 'conversation_id', letter: 'v' },
  { field: 'rootId', column: 'root_id', letter: 'r' },
  { field: 'userId', column: 'user_id', letter: 'u' },
  { field: 'memorySpaceId', column: 'space', letter: 's' },
] as const satisfies readonly { field: keyof MemoryWhere; column: string; letter: string }[]

/**
 * Returns the SQL conditions of a filter, and the values for their placeholders. `from` is the number of the first
 * placeholder. An empty filter has no conditions.
 *
 * Each field has an index. SQLite chooses one of the indexes and checks the other conditions on each row.
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
 * Returns the part of an FTS5 query that restricts the search to a filter. The full-text index has a word for each
 * field of a memory, in hexadecimal digits (`tables/memories.ts`). So a name cannot be read as an FTS5 operator.
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
