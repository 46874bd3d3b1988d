import { ChainError } from '../chain-error.ts'
import { firstRow, type Scope } from '../scope.ts'

/** Where a context stands: enough to list what is around it. */
export interface Standing {
  readonly row: number
  readonly id: string
  readonly parent_id: string | null
  readonly root_id: string
  readonly depth: number
}

/** @throws ChainError CONTEXT_NOT_FOUND */
export async function requireContext(scope: Scope, id: string): Promise<Standing> {
  const sql = 'SELECT row, id, parent_id, root_id, depth FROM contexts WHERE tenant = ?1 AND id = ?2'
  return (await firstRow<Standing>(scope, sql, id)) ?? contextNotFound()
}

export function contextNotFound(): never {
  throw new ChainError('CONTEXT_NOT_FOUND', 'There is no context of this id.', '/params/context')
}
