import type { Input, Output } from '../api/operations.ts'
import type { Scope } from '../scope.ts'
import type { Sql } from './condition.ts'
import { placeOf } from './cursor.ts'
import { type List, pageOf } from './read-page.ts'
import { createdWithin, wayInto } from './way-in.ts'

/** More different words than that are not looked for. */
const MOST_WORDS = 32

/**
 * Contexts whose purpose or description has all of these words, in any order and form, newest first.
 *
 * @throws ChainError INVALID_CURSOR
 */
export async function searchContexts(
  scope: Scope,
  { q, limit, cursor, ...filter }: Input<'searchContexts'>,
): Promise<Output<'searchContexts'>> {
  const self = { list: 'search', of: { q, ...filter } }
  const [before] = placeOf(scope, self, [0], cursor) ?? []
  const words = wordsOf(q)
  if (words.length === 0) return { items: [], next: null }
  const { fixed, rest } = wayInto(filter)
  const list: List = {
    is: self,
    key: ['row'],
    look: hasWords(words, before),
    rest: [() => 'contexts.tenant = ?1', ...fixed, ...createdWithin(filter), ...rest],
    limit,
  }
  return pageOf(scope, list)
}

/**
 * The words of a text, each once. Whatever is not a letter or a digit stands between words, as in the index; which letters
 * are large and small ones of each other is left to that, too.
 */
function wordsOf(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []
  return [...new Set(words)].slice(0, MOST_WORDS)
}

/**
 * In quotes a word is a word, whatever FTS5 would make of it otherwise. Side by side, and not joined by AND, those count for
 * nothing that are none to the index: an accent or a picture's variation selector by itself. The tenant's own word is made
 * as in tables/context-text.ts. The index gives its rows in their order, backwards too.
 */
function hasWords(words: readonly string[], before: number | string | undefined): Sql {
  const query = ` AND {purpose description} : (${words.map((word) => `"${word}"`).join(' ')})`
  return (bind) => `SELECT context_text.rowid AS row FROM context_text
    WHERE context_text MATCH 'owner : "t' || hex(?1) || '"' || ${bind(query)}
      ${before === undefined ? '' : `AND context_text.rowid < ${bind(before)}`}
    ORDER BY context_text.rowid DESC`
}
