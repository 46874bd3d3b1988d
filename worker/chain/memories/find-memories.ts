import { rows, type Scope, type Statement, statement } from '../scope.ts'
import { conditionsOf, type MemoryWhere, scopeQuery } from './memory-where.ts'

/**
 * The most memories that a search ranks for each word: the newest that contain the word. The limit bounds the cost of a
 * search.
 */
const MOST_HITS = 400

/** Returns, for each word, the memories that match the filter and contain the word, newest first. */
export async function findByWords(
  scope: Scope,
  where: MemoryWhere,
  words: readonly string[],
): Promise<readonly (readonly Hit[])[]> {
  if (words.length === 0) return []
  const asked = hitsStatement(scope, where, words)
  const found = await rows<{ place: number; hits: string }>(scope, asked.sql, ...asked.values.slice(1))
  const byPlace = new Map(found.map(({ place, hits }) => [place, readHits(hits)]))
  return words.map((_, place) => byPlace.get(place) ?? [])
}

/**
 * Makes one statement that searches for all words. The query to the full-text index contains the filter together with
 * the word, so SQLite reads no other rows. The statement checks the filter again on each row of `memories`, so that a
 * faulty index cannot show another person's memory.
 */
export function hitsStatement(scope: Pick<Scope, 'tenant'>, where: MemoryWhere, words: readonly string[]): Statement {
  const inScope = scopeQuery(scope.tenant, where)
  const queries = words.map((word) => `${wordQuery(word)} AND ${inScope}`)
  const { sql, values } = conditionsOf(where, 5)
  const conditions = ['memories.tenant = ?1', ...sql.map((each) => `memories.${each}`)].join(' AND ')
  // `highlight` puts one character before every occurrence of the word, so the added length is the number of
  // occurrences.
  return statement(
    scope,
    `SELECT asked.key AS place, (
       SELECT json_group_array(json_array(row, times, size, importance, created_at)) FROM (
         SELECT memories.row AS row, length(highlight(memory_words, 0, ?4, '')) - length(memories.content) AS times,
           length(memories.content) AS size, memories.importance AS importance, memories.created_at AS created_at
         FROM memory_words CROSS JOIN memories ON memories.row = memory_words.rowid
         WHERE memory_words MATCH asked.value AND ${conditions}
         ORDER BY memory_words.rowid DESC LIMIT ?3
       )
     ) AS hits
     FROM json_each(?2) AS asked`,
    JSON.stringify(queries),
    MOST_HITS,
    '\u0001',
    ...values,
  )
}

function readHits(json: string): readonly Hit[] {
  const tuples = JSON.parse(json) as readonly [number, number, number, number, number][]
  return tuples.map(([row, times, size, importance, createdAt]) => ({ row, times, size, importance, createdAt }))
}

/**
 * Two limits of a search: the number of words that it uses of a query, and the length of such a word in UTF-16 code
 * units.
 */
const MOST_WORDS = 16
const WORD_CHARACTERS = 64

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu

/**
 * Returns the different words of a query, in order. Common English words are left out, unless the query has no other
 * words. Only letters and digits are kept, so a query cannot contain an FTS5 operator.
 */
export function searchWords(query: string): readonly string[] {
  const words = [...query.toLowerCase().matchAll(WORD)].map(([word]) => word).filter(isShort)
  const telling = words.filter((word) => !COMMON.has(word))
  return [...new Set(telling.length === 0 ? words : telling)].slice(0, MOST_WORDS)
}

/** Makes an FTS5 query for one word. The word is quoted, and no word contains a quote. */
function wordQuery(word: string): string {
  return `content : "${word}"`
}

function isShort(word: string): boolean {
  return word.length <= WORD_CHARACTERS
}

const COMMON: ReadonlySet<string> = new Set(
  'a about after again all also am an and any are as at be because been before but by can could did do does for from get got had has have he her here him his how i if in into is it its just let me might mine more most my no not now of on or our out over said say says she should since so some than that the their them then there these they this those to too up us very was we were what when where which while who whom whose why will with would you your'.split(
    ' ',
  ),
)

/** A memory that contains one word of a query. */
export interface Hit {
  readonly row: number
  /** How often the memory contains the word. */
  readonly times: number
  /** Length of the memory in characters. */
  readonly size: number
  /** From 0 to 100. */
  readonly importance: number
  readonly createdAt: number
}

export interface Ranked {
  readonly row: number
  /** Above 0; a higher score means a better match. */
  readonly score: number
}

/**
 * The constants of the BM25 formula, as in FTS5: `ENOUGH` (k1) limits what the repetition of a word adds, `LENGTH` (b)
 * says how much a long memory is marked down.
 */
const ENOUGH = 1.2
const LENGTH = 0.75

/**
 * Sorts memories by their BM25 score times a factor for their importance, from 0.5 to 1.5. Of memories with equal
 * scores, the newest comes first. FTS5's own `bm25()` counts words in the whole index, so its cost would grow with
 * every tenant, and one tenant's memories would change the order of another's. `rankMemories` counts only the given
 * hits.
 *
 * @param hits for each word of the query, the memories that contain it
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
