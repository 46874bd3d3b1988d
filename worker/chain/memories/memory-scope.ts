import { hexOf } from '../../bytes.ts'
import { FILTERS, type MemoryWhere } from './memory-where.ts'

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
