import type { Input, Output } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import type { Scope } from '../scope.ts'
import { erasureOf, erasureRow } from './erasure-row.ts'

/** How far an erasure has come, and what it came to. @throws ChainError ERASURE_NOT_FOUND */
export async function getErasure(scope: Scope, input: Input<'getErasure'>): Promise<Output<'getErasure'>> {
  const row = await erasureRow(scope, input.erasure)
  if (row === null) throw new ChainError('ERASURE_NOT_FOUND', 'There is no such erasure.', '/params/erasure')
  return erasureOf(row)
}
