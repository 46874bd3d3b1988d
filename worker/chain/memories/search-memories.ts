import type { MemoryRecord } from '../memory.ts'
import { rows, type Scope } from '../scope.ts'
import { findByWords, rankMemories, searchWords } from './find-memories.ts'
import { conditionsOf, type MemoryWhere } from './memory-where.ts'
import { MEMORY_COLUMNS, memoryOf, type MemoryRow } from './read-memory.ts'

/**
 * Returns the memories that match a filter and contain any word of `q`, in any inflection. The best match comes first.
 */
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
    // `found` is undefined if the memory was deleted after the search.
    return found ? [{ ...memoryOf(found), score }] : []
  })
}

/**
 * Reads memories by row number. The filter is checked again, because after a deletion the row number may belong to
 * another person's memory.
 */
async function memoriesByRow(
  scope: Scope,
  where: MemoryWhere,
  places: readonly number[],
): Promise<ReadonlyMap<number, MemoryRow>> {
  if (places.length === 0) return new Map()
  const { sql, values } = conditionsOf(where, 3)
  // Without the `+`, SQLite would find a few rows by reading all of a tenant's memories through an index.
  const conditions = ['+tenant = ?1', 'row IN (SELECT value FROM json_each(?2))', ...sql].join(' AND ')
  const found = await rows<MemoryRow>(
    scope,
    `SELECT ${MEMORY_COLUMNS} FROM memories WHERE ${conditions}`,
    JSON.stringify(places),
    ...values,
  )
  return new Map(found.map((row) => [row.row, row]))
}

/**
 * Returns, for each query, the best matches among the memories that match a filter. All queries together take two
 * statements.
 */
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

/** The most words of each query that `findMemories` uses. A call may have twenty queries. */
const RECALL_WORDS = 10
