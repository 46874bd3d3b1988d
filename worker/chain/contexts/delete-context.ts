import type { Input, Output } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit, committedOrBusy, guard } from '../commit.ts'
import { firstRow, type Scope } from '../scope.ts'
import { removedBy, removing } from './remove-together.ts'
import { contextNotFound } from './require-context.ts'

const CHILDREN = 'SELECT child_count AS children FROM contexts WHERE tenant = ?1 AND id = ?2'

/**
 * Deletes a context: alone, with everything under it, or leaving its children as roots or to its parent (B2-14).
 *
 * @throws CONTEXT_NOT_FOUND, HAS_CHILDREN (in the mode `leaf`), BUSY
 */
export function deleteContext(scope: Scope, input: Input<'deleteContext'>): Promise<Output<'deleteContext'>> {
  return committedOrBusy(async () => {
    const found = await firstRow<{ children: number }>(scope, CHILDREN, input.context)
    if (!found) return contextNotFound()
    return input.mode === 'leaf' ? await removeLeaf(scope, input.context, found.children) : await remove(scope, input)
  })
}

/** Null when it has got children meanwhile, or is gone. */
async function removeLeaf(scope: Scope, id: string, children: number): Promise<Output<'deleteContext'> | null> {
  if (children > 0) throw new ChainError('HAS_CHILDREN', 'the context has children', '/params/context')
  const stillAlone = guard(scope, `(${CHILDREN}) = 0`, id)
  const done = await commit(scope, { guards: [stillAlone], writes: removing(scope, [id], 'cascade') })
  return done.ok ? { deleted: removedBy(done.wrote).ids.length, reparented: 0, promoted: 0 } : null
}

/** Null when it is gone meanwhile. */
async function remove(
  scope: Scope,
  { context, mode }: Input<'deleteContext'>,
): Promise<Output<'deleteContext'> | null> {
  if (mode === 'leaf') return null
  const done = await commit(scope, { guards: [], writes: removing(scope, [context], mode) })
  if (!done.ok) return null
  const { ids, ...moved } = removedBy(done.wrote)
  return ids.length > 0 ? { deleted: ids.length, ...moved } : null
}
