import type { MemoryRecord } from '../memory.ts'
import { rows, type Scope } from '../scope.ts'
import { findByWords, rankMemories, searchWords } from './find-memories.ts'
import { conditionsOf, type MemoryWhere } from './memory-where.ts'
import { MEMORY_COLUMNS, memoryOf, type MemoryRow } from './read-memory.ts'

/** Memories in this scope that have any of the words, whatever their endings, the most fitting first. */
export async function searchMemories(
  scope: Scope,
  where: MemoryWhere,
  { q, limit }: { readonly q: string; readonly limit: number },
): Promise<readonly (MemoryRecord & { readonly score: number })[]> {
  const ranked = rankMemories(await findByWords(scope, where, searchWords(q))).slice(0, limit)
  const byRow = await memoriesByRow(
    scope,
    where,
    ranked.map(({ row }) => row),
  )
  return ranked.flatMap(({ row, score }) => {
    const found = byRow.get(row)
    // Deleted in between.
    return found ? [{ ...memoryOf(found), score }] : []
  })
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

/** For each query the most fitting memories in this scope, best first. Two statements, however many queries. */
export async function findMemories(
  scope: Scope,
  where: MemoryWhere,
  { queries, limit }: { readonly queries: readonly string[]; readonly limit: number },
): Promise<readonly (readonly MemoryRow[])[]> {
  const wordsOf = queries.map((query) => searchWords(query).slice(0, RECALL_WORDS))
  const words = [...new Set(wordsOf.flat())]
  const hits = new Map((await findByWords(scope, where, words)).map((ofWord, at) => [words[at], ofWord]))
  const ranked = wordsOf.map((asked) => rankMemories(asked.map((word) => hits.get(word) ?? [])).slice(0, limit))
  const byRow = await memoriesByRow(scope, where, [...new Set(ranked.flat().map(({ row }) => row))])
  return ranked.map((each) => each.flatMap(({ row }) => byRow.get(row) ?? []))
}

/** A query's first words; there may be twenty queries. */
const RECALL_WORDS = 10
