import type { Input, Output } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import type { Fact } from '../memory.ts'
import { personOf } from '../people/person.ts'
import { rows, type Scope } from '../scope.ts'
import { heldFacts } from './held-facts.ts'

/** What is held to be so of a person, in the order of the keys, page by page. @throws ChainError INVALID_CURSOR */
export async function listFacts(
  scope: Scope,
  { user, limit, cursor }: Input<'listFacts'>,
): Promise<Output<'listFacts'>> {
  const after = cursor === undefined ? '' : keyOf(cursor)
  const { ids } = await personOf(scope, user)
  const sql = `${heldFacts('key > ?4')} ORDER BY key LIMIT ?5`
  const found = await rows<Fact>(scope, sql, ...ids, after, limit + 1)
  const page = found.slice(0, limit)
  return { items: page, next: found.length > limit ? (page.at(-1)?.key ?? null) : null }
}

/** A page ends with a key, and the next one begins behind it. */
function keyOf(cursor: string): string {
  if (!/^[a-z][a-z0-9_.-]{0,99}$/.test(cursor))
    throw new ChainError('INVALID_CURSOR', 'Take the cursor from the page before.', '/query/cursor')
  return cursor
}
