import { type Scope, type Statement, rows, statement } from '../scope.ts'
import { scopeQuery } from './memory-scope.ts'
import { conditionsOf, type MemoryWhere } from './memory-where.ts'
import type { Hit } from './rank-memories.ts'
import { wordQuery } from './search-words.ts'

/** Of each word, the newest so many memories that have it are weighed: what a search can cost has an end. */
const MOST_HITS = 400

/** For each word, the memories in this scope that have it, newest first. */
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
 * One statement for all words. The scope is asked of the index together with the word, so that nothing else is read; and of
 * the row once more, since an index is only a copy.
 */
export function hitsStatement(scope: Pick<Scope, 'tenant'>, where: MemoryWhere, words: readonly string[]): Statement {
  const inScope = scopeQuery(scope.tenant, where)
  const queries = words.map((word) => `${wordQuery(word)} AND ${inScope}`)
  const { sql, values } = conditionsOf(where, 5)
  const conditions = ['memories.tenant = ?1', ...sql.map((each) => `memories.${each}`)].join(' AND ')
  // `highlight` puts one character in front of every occurrence: what it adds in length is how many there are.
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
