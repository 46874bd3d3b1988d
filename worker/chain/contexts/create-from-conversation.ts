import type { Input, Output } from '../api/operations.ts'
import { committedOrBusy } from '../commit.ts'
import type { Scope } from '../scope.ts'
import { notTaken, onlyOf } from './create-context.ts'
import { insertContexts } from './insert-contexts.ts'
import { newContext } from './new-context.ts'

/**
 * Creates a root for what was asked in a conversation (S2-11).
 *
 * @throws CONTEXT_EXISTS, ERASURE_RUNNING, BUSY
 */
export function createFromConversation(
  scope: Scope,
  { conversationId, messageIds, ...told }: Input<'createFromConversation'>,
): Promise<Output<'createFromConversation'>> {
  const id = told.id ?? scope.newId('ctx')
  const context = newContext(id, { ...told, conversationRef: { conversationId, messageIds } }, null)
  return committedOrBusy(async () => onlyOf(await insertContexts(scope, [context], await notTaken(scope, told.id))))
}
