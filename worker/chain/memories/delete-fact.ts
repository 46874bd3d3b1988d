import type { Input, Output } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit } from '../commit.ts'
import { idsOf, isOf, personOf } from '../people/person.ts'
import { type Scope, statement } from '../scope.ts'

/** Holds something no longer to be so. @throws ChainError FACT_NOT_FOUND */
export async function deleteFact(scope: Scope, { user, key }: Input<'deleteFact'>): Promise<Output<'deleteFact'>> {
  const ids = idsOf(await personOf(scope, user))
  const sql = `DELETE FROM facts WHERE tenant = ?1 AND ${isOf('user_id', '?2')} AND key = ?3 RETURNING key`
  const committed = await commit(scope, { guards: [], writes: [statement(scope, sql, ids, key)] })
  const rows = committed.ok ? (committed.wrote[0]?.rows.length ?? 0) : 0
  if (rows === 0) throw new ChainError('FACT_NOT_FOUND', 'Nothing of the kind is known.', '/params/key')
  // Told under both of the person's ids it was one fact all the same.
  return { deleted: 1 }
}
