import type { Input, Output } from '../api/operations.ts'
import { committedOrBusy } from '../commit.ts'
import type { Scope } from '../scope.ts'
import { insertContexts } from './insert-contexts.ts'
import { newContext, under } from './new-context.ts'

/**
 * Creates tasks that are all active at once under one root (S2-15, B2-13). Whoever the whole is about, its tasks are about,
 * unless they say otherwise.
 *
 * @throws ERASURE_RUNNING, BUSY
 */
export function createParallel(
  scope: Scope,
  { tasks, ...whole }: Input<'createParallel'>,
): Promise<Output<'createParallel'>> {
  const fork = newContext(scope.newId('ctx'), whole, null)
  const branches = tasks.map(({ userId = whole.userId, ...task }) =>
    newContext(scope.newId('ctx'), { ...task, userId }, under(fork)),
  )
  return committedOrBusy(async () => {
    const [root, ...created] = (await insertContexts(scope, [fork, ...branches])) ?? []
    return root ? { root, tasks: created } : null
  })
}
