import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit, untilCommitted } from '../commit.ts'
import type { PersonFact } from '../memory.ts'
import { noneBeingErased, refuseWhileErased } from '../people/tombstones.ts'
import { idsOf, isOf, personOf } from '../people/person.ts'
import { rows, type Scope, type Statement, statement } from '../scope.ts'

/**
 * Stores a fact about a person, unless a newer fact with the same key is stored. Returns the fact that is valid after
 * the write. A time in the future counts as now.
 *
 * @throws ChainError ERASURE_RUNNING, BUSY
 */
export async function putFact(scope: Scope, input: OperationInput<'putFact'>): Promise<OperationOutput<'putFact'>> {
  const { user, key, value, source, confidence } = input
  const now = scope.now()
  const { ids } = await personOf(scope, user)
  const fact = { key, value, source, confidence, at: Math.min(input.at ?? now, now) }
  const held = await untilCommitted(async () => {
    const guards = await noneBeingErased(scope, [user, source])
    const committed = await commit(scope, { guards, writes: [factWrite(scope, user, fact)] })
    if (!committed.ok) {
      await refuseWhileErased(scope, [user, source])
      return null
    }
    // No row is found if another request has just deleted the fact. The write still succeeded, so the fact is returned.
    return (await rows<PersonFact>(scope, heldFacts('key = ?4'), ...ids, key))[0] ?? fact
  })
  if (held === null) throw new ChainError('BUSY', 'Too many write here at once. Try again in a moment.')
  return held
}

/**
 * Makes the SQL statement that writes one fact, for a larger transaction. Of two facts with the same key, the newer
 * fact is kept. If both have the same time, the fact with the higher confidence is kept, then the fact whose source
 * sorts later, then the fact whose value sorts later. So the order of the writes does not matter, and a repeated write
 * changes nothing.
 */
export function factWrite(scope: Pick<Scope, 'tenant'>, user: string, fact: PersonFact): Statement {
  return statement(
    scope,
    `INSERT INTO facts (tenant, user_id, key, value, source, confidence, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
     ON CONFLICT (tenant, user_id, key) DO UPDATE
       SET value = excluded.value, source = excluded.source, confidence = excluded.confidence, at = excluded.at
       WHERE (excluded.at, excluded.confidence, excluded.source, excluded.value)
         > (facts.at, facts.confidence, facts.source, facts.value)`,
    user,
    fact.key,
    fact.value,
    fact.source,
    fact.confidence,
    fact.at,
  )
}

/**
 * Returns the facts about a person in the order of their keys, page by page.
 *
 * @throws ChainError INVALID_CURSOR
 */
export async function listFacts(
  scope: Scope,
  { user, limit, cursor }: OperationInput<'listFacts'>,
): Promise<OperationOutput<'listFacts'>> {
  const after = cursor === undefined ? '' : keyOf(cursor)
  const { ids } = await personOf(scope, user)
  const sql = `${heldFacts('key > ?4')} ORDER BY key LIMIT ?5`
  const found = await rows<PersonFact>(scope, sql, ...ids, after, limit + 1)
  const page = found.slice(0, limit)
  return { items: page, next: found.length > limit ? (page.at(-1)?.key ?? null) : null }
}

/**
 * Makes the statement that selects the facts that are stored under one id of a person, by key. Facts under the person's
 * other id (`personOf`) are left out.
 *
 * @param run if given, only facts from conversations of this run are selected
 */
export function factsUnder(
  scope: Pick<Scope, 'tenant'>,
  userId: string,
  { run, limit }: { readonly run: string | null; readonly limit: number },
): Statement {
  const inRun =
    run === null
      ? []
      : ["source IN (SELECT 'conversation ' || session FROM sessions WHERE tenant = ?1 AND run_id = ?4)"]
  const which = ['tenant = ?1', 'user_id = ?2', ...inRun].join(' AND ')
  const sql = `SELECT key, value, source, confidence, at FROM facts WHERE ${which} ORDER BY key LIMIT ?3`
  return statement(scope, sql, userId, limit, ...(run === null ? [] : [run]))
}

/** Checks a cursor and returns it. A cursor is the last key of a page. */
function keyOf(cursor: string): string {
  if (!/^[a-z][a-z0-9_.-]{0,99}$/.test(cursor))
    throw new ChainError('INVALID_CURSOR', 'Take the cursor from the page before.', '/query/cursor')
  return cursor
}

/**
 * Deletes a fact.
 *
 * @throws ChainError FACT_NOT_FOUND
 */
export async function deleteFact(
  scope: Scope,
  { user, key }: OperationInput<'deleteFact'>,
): Promise<OperationOutput<'deleteFact'>> {
  const ids = idsOf(await personOf(scope, user))
  const sql = `DELETE FROM facts WHERE tenant = ?1 AND ${isOf('user_id', '?2')} AND key = ?3 RETURNING key`
  const committed = await commit(scope, { guards: [], writes: [statement(scope, sql, ids, key)] })
  const rows = committed.ok ? (committed.wrote[0]?.rows.length ?? 0) : 0
  if (rows === 0) throw new ChainError('FACT_NOT_FOUND', 'Nothing of the kind is known.', '/params/key')
  // A fact that is stored under both ids of the person counts once.
  return { deleted: 1 }
}

/**
 * Returns SQL that selects the facts about a person under both ids of the person (`personOf`), `?2` and `?3`. If both
 * ids have a fact with the same key, only the fact that `factWrite` would keep is selected ([memory-9]). The SQL joins
 * two SELECTs by UNION ALL, because SQLite can merge two ordered indexes without sorting.
 *
 * @param which a condition on the key
 */
function heldFacts(which: string): string {
  const own = (id: string, other: string, beats: string) =>
    `SELECT key, value, source, confidence, at FROM facts WHERE tenant = ?1 AND user_id = ${id} AND ${which}
       AND NOT EXISTS (SELECT 1 FROM facts AS other
         WHERE other.tenant = ?1 AND other.user_id = ${other} AND other.key = facts.key
           AND (other.at, other.confidence, other.source, other.value)
             ${beats} (facts.at, facts.confidence, facts.source, facts.value))`
  return `${own('?2', '?3', '>')} UNION ALL ${own('?3', '?2', '>=')}`
}
