import { commit } from '../commit.ts'
import type { Context } from '../context.ts'
import type { Scope, Statement } from '../scope.ts'
import { erasureRunning, noneBeingErased } from '../people/not-while-erased.ts'
import { contextNotFound } from './require-context.ts'
import { theseContexts, written } from './written-contexts.ts'

/**
 * Writes what is about one context, and does nothing where there is none.
 *
 * @param named whoever comes to be named by it
 * @returns it as it stands then.
 * @throws CONTEXT_NOT_FOUND; ERASURE_RUNNING when one of those named is being erased
 */
export async function commitFor(
  scope: Scope,
  id: string,
  writes: readonly Statement[],
  named: readonly string[] = [],
): Promise<Context> {
  const guards = await noneBeingErased(scope, named)
  const done = await commit(scope, { guards, writes: [...writes, theseContexts(scope, [id])] })
  if (!done.ok) throw erasureRunning()
  const [context] = written(done)
  return context ?? contextNotFound()
}
