import type { Input, Output } from '../api/operations.ts'
import { rows, type Scope } from '../scope.ts'
import { findByWords } from './find-by-words.ts'
import { MEMORY_COLUMNS, memoryOf, type MemoryRow } from './memory-row.ts'
import { conditionsOf, type MemoryWhere } from './memory-where.ts'
import { rankMemories } from './rank-memories.ts'
import { searchWords } from './search-words.ts'

/** Memories in this scope that have any of the words, whatever their endings, the most fitting first. */
export async function searchMemories(scope: Scope, input: Input<'searchMemories'>): Promise<Output<'searchMemories'>> {
  const { q, limit, ...where } = input
  const ranked = rankMemories(await findByWords(scope, where, searchWords(q))).slice(0, limit)
  const byRow = await memoriesByRow(
    scope,
    where,
    ranked.map(({ row }) => row),
  )
  return {
    items: ranked.flatMap(({ row, score }) => {
      const found = byRow.get(row)
      // Deleted in between.
      return found ? [{ memory: memoryOf(found), score }] : []
    }),
  }
}

/**
 * Memories in this scope by their place in the table. The scope is asked for once more: where the newest memory was deleted
 * since it was found, another may have taken its place, of whomever.
 */
export async function memoriesByRow(
  scope: Scope,
  where: MemoryWhere,
  places: readonly number[],
): Promise<ReadonlyMap<number, MemoryRow>> {
  if (places.length === 0) return new Map()
  const { sql, values } = conditionsOf(where, 3)
  // Of its own accord SQLite would read the whole tenant by an index, to find a few rows by their number.
  const conditions = ['+tenant = ?1', 'row IN (SELECT value FROM json_each(?2))', ...sql].join(' AND ')
  const found = await rows<MemoryRow>(
    scope,
    `SELECT ${MEMORY_COLUMNS} FROM memories WHERE ${conditions}`,
    JSON.stringify(places),
    ...values,
  )
  return new Map(found.map((row) => [row.row, row]))
}
