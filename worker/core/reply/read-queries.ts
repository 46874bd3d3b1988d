import { clean } from '../text/clean.ts'
import { cap } from './characters.ts'
import { findAnswers } from './read-answer.ts'

/** At most this many queries are taken of an answer, each of at most this many UTF-16 code units. */
export const QUERIES = 5
export const QUERY_CHARACTERS = 200

/**
 * Reads the queries an actor wrote: on one line each, without what nobody can see, none twice (letter case aside).
 * What is no list of texts gives none.
 */
export function readQueries(text: string): readonly string[] {
  const found = findAnswers(text, ['queries'])
  if (!found.ok) return []
  const raw = found.objects.flat().find(({ key }) => key === 'queries')?.raw ?? ''
  const queries = new Map<string, string>()
  for (const written of textsIn(raw)) {
    const query = cap(clean(written).replace(/\s+/g, ' ').trim(), QUERY_CHARACTERS).trim()
    if (query !== '' && !queries.has(query.toLowerCase())) queries.set(query.toLowerCase(), query)
  }
  return [...queries.values()].slice(0, QUERIES)
}

/** The texts of a JSON array, or the one text that stands in its place. */
function textsIn(raw: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(raw)
    return [value].flat().filter((item) => typeof item === 'string')
  } catch {
    return []
  }
}
