import type { MemoryRecord } from '../memory.ts'
import { rows, type Scope } from '../scope.ts'
import { findByWords, rankMemories, searchWords } from './find-memories.ts'
import { conditionsOf, type MemoryWhere } from './memory-where.ts'
import { MEMORY_COLUMNS, memoryOf, type MemoryRow } from './read-memory.ts'

/** Returns the memories in this scope that contain any of the words, in any inflection, the best match first. */
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
    // Undefined if the memory was deleted in between.
    return found ? [{ ...memoryOf(found), score }] : []
  })
}

/**
 * Reads memories of this scope by row number. The scope is checked again: after a deletion, the row number may
 * belong to another person's memory.
 */
async function memoriesByRow(
  scope: Scope,
  where: MemoryWhere,
  places: readonly number[],
): Promise<ReadonlyMap<number, MemoryRow>> {
  if (places.length === 0) return new Map()
  const { sql, values } = conditionsOf(where, 3)
  // Without `+`, SQLite would read all of a tenant's memories by an index to find a few rows.
  const conditions = ['+tenant = ?1', 'row IN (SELECT value FROM json_each(?2))', ...sql].join(' AND ')
  const found = await rows<MemoryRow>(
    scope,
    `SELECT ${MEMORY_COLUMNS} FROM memories WHERE ${conditions}`,
    JSON.stringify(places),
    ...values,
  )
  return new Map(found.map((row) => [row.row, row]))
}

/** Returns for each query the best matches in this scope. It takes two statements, however many queries there are. */
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

/** The most words of each query; there may be twenty queries. */
const RECALL_WORDS = 10
