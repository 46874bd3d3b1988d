/** A memory that has a word, found in the scope that was searched. */
export interface Hit {
  readonly row: number
  /** How often the word stands in it. */
  readonly times: number
  /** Its length in characters. */
  readonly size: number
  /** From 0 to 100. */
  readonly importance: number
  readonly createdAt: number
}

export interface Ranked {
  readonly row: number
  /** Above 0; the higher, the more fitting. */
  readonly score: number
}

/** The constants of BM25 as FTS5 has them: how soon a word has been said often enough, and how much length counts. */
const ENOUGH = 1.2
const LENGTH = 0.75

/**
 * Puts what was found in order: by BM25, weighed by importance (from half to one and a half), and of two that are alike the
 * newer first. FTS5 has a `bm25()` of its own, but that counts each word in the whole index, which costs as much as there
 * is of everybody's and lets the order depend on it. Here all that counts is what was found in this scope.
 *
 * @param hits for each word of the query, the memories that have it
 */
export function rankMemories(hits: readonly (readonly Hit[])[]): readonly Ranked[] {
  const found = new Map(hits.flat().map((hit) => [hit.row, hit]))
  const usual = [...found.values()].reduce((sum, { size }) => sum + size, 0) / Math.max(1, found.size)
  const scores = new Map<number, number>()
  for (const ofWord of hits) {
    const rarity = Math.log(1 + (found.size - ofWord.length + 0.5) / (ofWord.length + 0.5))
    for (const { row, times, size } of ofWord) {
      const often = (times * (ENOUGH + 1)) / (times + ENOUGH * (1 - LENGTH + (LENGTH * size) / usual))
      scores.set(row, (scores.get(row) ?? 0) + rarity * often)
    }
  }
  return [...found.values()]
    .map(({ row, importance, createdAt }) => ({
      row,
      createdAt,
      score: (scores.get(row) ?? 0) * (0.5 + importance / 100),
    }))
    .toSorted((a, b) => b.score - a.score || b.createdAt - a.createdAt || b.row - a.row)
    .map(({ row, score }) => ({ row, score }))
}
