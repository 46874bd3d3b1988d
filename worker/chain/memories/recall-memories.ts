import type { Input, Output } from '../api/operations.ts'
import type { Scope } from '../scope.ts'
import { findByWords } from './find-by-words.ts'
import { rankMemories } from './rank-memories.ts'
import type { MemoryRow } from './memory-row.ts'
import { memoriesByRow } from './search-memories.ts'
import { searchWords } from './search-words.ts'

/** For each query what the most fitting memories in this scope say, best first (S0-13). */
export async function recallMemories(scope: Scope, input: Input<'recallMemories'>): Promise<Output<'recallMemories'>> {
  const found = await findMemories(scope, input)
  const recalled = input.queries.map((query, at) => ({ query, found: (found[at] ?? []).map(({ content }) => content) }))
  return { recalled }
}

/** The memories themselves, a list for each query. Two statements, however many queries. */
export async function findMemories(
  scope: Scope,
  { queries, limit, ...where }: Input<'recallMemories'>,
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
