import type { Input, Output } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit } from '../commit.ts'
import { type Scope, statement } from '../scope.ts'

/** Holds something no longer to be so. @throws ChainError FACT_NOT_FOUND */
export async function deleteFact(scope: Scope, { user, key }: Input<'deleteFact'>): Promise<Output<'deleteFact'>> {
  const sql = 'DELETE FROM facts WHERE tenant = ?1 AND user_id = ?2 AND key = ?3 RETURNING key'
  const committed = await commit(scope, { guards: [], writes: [statement(scope, sql, user, key)] })
  const deleted = committed.ok ? (committed.wrote[0]?.rows.length ?? 0) : 0
  if (deleted === 0) throw new ChainError('FACT_NOT_FOUND', 'Nothing of the kind is known.', '/params/key')
  return { deleted }
}
