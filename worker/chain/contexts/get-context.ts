import type { OperationInput, OperationOutput } from '../api/operations.ts'
import type { Context, FreeData } from '../context.ts'
import type { TranscriptMessage, Scope } from '../scope.ts'
import { lineOf } from './get-chain.ts'
import { filteredList } from './list-contexts.ts'
import { versionAtTime, versionAt } from './past.ts'
import { contextById, contextNotFound } from './read-context.ts'
import { pageOf } from './read-page.ts'

/** Of its children so many come with a context. The others are listed. */
const CHILDREN = 100

/**
 * One context, by itself unless more is asked for.
 *
 * @throws ChainError CONTEXT_NOT_FOUND, VERSION_NOT_FOUND
 */
export async function getContext(
  scope: Scope,
  { context: id, children, inherited, version, at }: OperationInput<'getContext'>,
): Promise<OperationOutput<'getContext'>> {
  const chain = inherited ? await lineOf(scope, id) : []
  const context = (inherited ? chain.at(-1) : await contextById(scope, id)) ?? contextNotFound()
  return {
    context,
    ...(children && {
      children: (await pageOf(scope, filteredList(scope, { parentId: id }, { list: 'contexts', limit: CHILDREN })))
        .items,
    }),
    ...(inherited && { inherited: { ...inheritedData(chain), chain } }),
    ...(version !== undefined && { state: await versionAt(scope, id, version) }),
    ...(at !== undefined && { state: await versionAtTime(scope, id, at) }),
  }
}

export interface Inherited {
  readonly data: FreeData
  /** By key, the id of the context its value is from. */
  readonly from: Readonly<Record<string, string>>
}

/** What would change an object's own nature when it is put into one. */
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The data of a line of contexts, laid over one another from the root down: of each key the nearest value holds.
 * Null is a value and covers what is above it; undefined is none. Keys are taken as a whole, not merged inside.
 * Neither result has a prototype, and neither shares anything with the contexts but the values themselves.
 */
export function inheritedData(chain: readonly Pick<Context, 'id' | 'data'>[]): Inherited {
  const data: Record<string, unknown> = Object.create(null)
  const from: Record<string, string> = Object.create(null)
  for (const { id, data: own } of chain) {
    for (const [key, value] of Object.entries(own)) {
      if (value === undefined || UNSAFE_KEYS.has(key)) continue
      data[key] = value
      from[key] = id
    }
  }
  return { data, from }
}

/**
 * A context with the conversation it came from and, of that, the messages that brought it about. Without one, or
 * where it is not there any more, the conversation is null.
 *
 * @throws ChainError CONTEXT_NOT_FOUND
 */
export async function getConversation(
  scope: Scope,
  { context: id }: OperationInput<'getConversation'>,
): Promise<OperationOutput<'getConversation'>> {
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
function triggersIn(messages: readonly TranscriptMessage[], ids: readonly string[]): readonly TranscriptMessage[] {
  const wanted = new Set(ids)
  return messages.filter(({ id }) => wanted.has(id))
}
