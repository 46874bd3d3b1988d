import type { Input, Output } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import type { Scope } from '../scope.ts'
import { whoCovers } from './begin-erasure.ts'
import { erasureOf, erasureRow } from './erasure-row.ts'
import { foresee } from './foresee.ts'
import { personOf } from './person.ts'

/**
 * Begins to erase a person, or says what that would come to (S2-19, B2-16). While one is being erased it is the same
 * erasure however often it is asked for; afterwards it is a new one, with nothing left to do.
 *
 * @returns with the erasure as it stands, and as `effect` what it has come to so far; of a dry run what it would come to
 * @throws ChainError BUSY when somebody is being erased who is partly the same
 */
export async function erasePerson(scope: Scope, input: Input<'erasePerson'>): Promise<Output<'erasePerson'>> {
  const person = await personOf(scope, input.user)
  if (input.dryRun) return { erasure: null, effect: await foresee(scope, person, input.mode) }
  const job = { tenant: scope.tenant, id: scope.newId('era'), mode: input.mode, at: scope.now(), person }
  const begun = (await whoCovers(scope, job)) ?? (await scope.erasing.begin(job))
  if (begun.type === 'crossed') throw new ChainError('BUSY', 'Part of this is being erased just now. Try again later.')
  const row = await erasureRow(scope, begun.type === 'running' ? begun.id : job.id)
  if (row === null) throw new Error('an erasure that was begun is not there')
  const erasure = erasureOf(row)
  return { erasure, effect: erasure.effect }
}
