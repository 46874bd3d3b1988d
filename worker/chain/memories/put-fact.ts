import type { Input, Output } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit, untilCommitted } from '../commit.ts'
import type { Fact } from '../memory.ts'
import { noneBeingErased, refuseWhileErased } from '../people/not-while-erased.ts'
import { personOf } from '../people/person.ts'
import { rows, type Scope, type Statement, statement } from '../scope.ts'
import { heldFacts } from './held-facts.ts'

/**
 * Holds something to be so of a person, unless what is known is newer, and returns what holds. Nothing can have been so
 * later than now.
 *
 * @throws ChainError ERASURE_RUNNING, BUSY
 */
export async function putFact(scope: Scope, input: Input<'putFact'>): Promise<Output<'putFact'>> {
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
    // Null when it was deleted in between: then what was put holds no more, and nothing came of it.
    return (await rows<Fact>(scope, heldFacts('key = ?4'), ...ids, key))[0] ?? fact
  })
  if (held === null) throw new ChainError('BUSY', 'Too many write here at once. Try again in a moment.')
  return held
}

/**
 * The write of one fact, for a transaction of whatever else belongs to it. Of two facts of one key the newer holds, of two
 * as new the surer one, and of two as sure the one whose source, then whose value, comes later in the order of bytes. So in
 * whatever order they come, the same one holds in the end, and to write one twice changes nothing.
 */
export function factWrite(scope: Pick<Scope, 'tenant'>, user: string, fact: Fact): Statement {
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
