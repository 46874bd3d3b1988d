import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit, committedOrBusy } from '../commit.ts'
import type { Context } from '../context.ts'
import type { Scope } from '../scope.ts'
import { changeOf, changesNothing, changing } from './change-context.ts'
import { noneBeingErased, refuseWhileErased } from '../people/tombstones.ts'
import { completionsWith } from './complete-parents.ts'
import { contextById, contextNotFound, sameVersion, theseContexts, written } from './read-context.ts'

/**
 * Writes the next version of a context. If the update completes the context, the same transaction activates the steps
 * that wait for the context. If the update completes or cancels the context, the transaction also completes ancestors
 * with `autoComplete` that have no open children left.
 *
 * @throws the first that applies of EMPTY_UPDATES, CONTEXT_NOT_FOUND, VERSION_CONFLICT, INVALID_TRANSITION, TOO_LONG,
 *   ERASURE_RUNNING, BUSY
 */
export function updateContext(
  scope: Scope,
  input: OperationInput<'updateContext'>,
): Promise<OperationOutput<'updateContext'>> {
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

/** Writes the change. Returns null if another request changed the context meanwhile. */
async function change(scope: Scope, now: Context, input: OperationInput<'updateContext'>): Promise<Context | null> {
  const next = changeOf(now, input)
  if (next instanceof ChainError) throw next
  const data = input.data && { data: JSON.stringify(next.data) }
  const changes = [{ id: now.id, status: next.status, purpose: next.purpose, description: next.description, ...data }]
  const isMoved = input.status !== undefined && now.parentId !== null
  const above = await completionsWith(scope, isMoved ? [{ id: now.id, status: next.status }] : [])
  const completions = above.completed.map((id) => ({ id, status: 'completed' }))
  const people = [now.userId, input.by, ...above.people]
  const done = await commit(scope, {
    guards: [...(await noneBeingErased(scope, people)), sameVersion(scope, now.id, now.version), ...above.guards],
    writes: [...changing(scope, [...changes, ...completions], input.by ?? scope.by), theseContexts(scope, [now.id])],
  })
  if (done.ok) return written(done)[0] ?? null
  await refuseWhileErased(scope, people)
  return null
}
