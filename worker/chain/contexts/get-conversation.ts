import type { Input, Output } from '../api/operations.ts'
import type { Message, Scope } from '../scope.ts'
import { contextById } from './read-context.ts'
import { contextNotFound } from './require-context.ts'

/**
 * A context with the conversation it came from and, of that, the messages that brought it about (S2-12). Without one, or
 * where it is not there any more, the conversation is null.
 *
 * @throws ChainError CONTEXT_NOT_FOUND
 */
export async function getConversation(
  scope: Scope,
  { context: id }: Input<'getConversation'>,
): Promise<Output<'getConversation'>> {
  const context = (await contextById(scope, id)) ?? contextNotFound()
  const ref = context.conversationRef
  const messages = ref && (await scope.conversations.transcript(ref.conversationId))
  if (!ref || !messages) return { context, conversation: null, triggerMessages: [] }
  return {
    context,
    conversation: { conversationId: ref.conversationId, messages },
    triggerMessages: triggersIn(messages, ref.messageIds),
  }
}

/** In the order in which they were said. */
function triggersIn(messages: readonly Message[], ids: readonly string[]): readonly Message[] {
  const wanted = new Set(ids)
  return messages.filter(({ id }) => wanted.has(id))
}
