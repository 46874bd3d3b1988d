import type { Input, Output } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit, committedOrBusy } from '../commit.ts'
import type { Context } from '../context.ts'
import type { Scope } from '../scope.ts'
import { changeOf, changesNothing, changing } from './change-context.ts'
import { noneBeingErased, refuseWhileErased } from '../people/tombstones.ts'
import { contextById, contextNotFound, sameVersion, theseContexts, written } from './read-context.ts'

/**
 * Makes the next version of a context (S2-6, S2-7, B2-6). Completing a step begins the one that waits for it.
 *
 * @throws EMPTY_UPDATES, CONTEXT_NOT_FOUND, VERSION_CONFLICT, INVALID_TRANSITION, TOO_LONG, ERASURE_RUNNING, BUSY; of several,
 *   the first of these
 */
export function updateContext(scope: Scope, input: Input<'updateContext'>): Promise<Output<'updateContext'>> {
  return committedOrBusy(async () => {
    if (changesNothing(input)) throw new ChainError('EMPTY_UPDATES', 'there is nothing to change', '/body')
    const now = await contextById(scope, input.context)
    if (!now) return contextNotFound()
    if (input.expectedVersion !== undefined && input.expectedVersion !== now.version) {
      throw new ChainError('VERSION_CONFLICT', 'the context is at another version', '/body/expectedVersion')
    }
    return await change(scope, now, input)
  })
}

/** Null when somebody else has changed it meanwhile. */
async function change(scope: Scope, now: Context, input: Input<'updateContext'>): Promise<Context | null> {
  const next = changeOf(now, input)
  if (next instanceof ChainError) throw next
  const data = input.data && { data: JSON.stringify(next.data) }
  const changes = [{ id: now.id, status: next.status, purpose: next.purpose, description: next.description, ...data }]
  const people = [now.userId, input.by]
  const done = await commit(scope, {
    guards: [...(await noneBeingErased(scope, people)), sameVersion(scope, now.id, now.version)],
    writes: [...changing(scope, changes, input.by ?? scope.by), theseContexts(scope, [now.id])],
  })
  if (done.ok) return written(done)[0] ?? null
  await refuseWhileErased(scope, people)
  return null
}
