import type { OperationInput, OperationOutput } from '../api/operations.ts'
import type { Context, FreeData } from '../context.ts'
import type { TranscriptMessage, Scope } from '../scope.ts'
import { lineOf } from './get-chain.ts'
import { filteredList } from './list-contexts.ts'
import { versionAtTime, versionAt } from './past.ts'
import { contextById, contextNotFound } from './read-context.ts'
import { pageOf } from './read-page.ts'

/** The most children that `getContext` returns. `listContexts` returns the others. */
const CHILDREN = 100

/**
 * Returns one context. The result also contains the context's children, inherited data or an earlier state, if the
 * request asks for them.
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
  /** For each key, the id of the context from which its value is inherited. */
  readonly from: Readonly<Record<string, string>>
}

/** Keys that would change an object's prototype when they are copied into it. */
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Merges the data of a context and its ancestors by top-level keys, from the root down. For each key, the value nearest
 * to the context wins, even if that value is null; undefined does not count. Nested values are not merged. `data` and
 * `from` are new objects without a prototype.
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
 * Returns a context with the conversation that created it, and the messages that caused it. `conversation` is null if
 * the context came from no conversation or the conversation was deleted.
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

function triggersIn(messages: readonly TranscriptMessage[], ids: readonly string[]): readonly TranscriptMessage[] {
  const wanted = new Set(ids)
  return messages.filter(({ id }) => wanted.has(id))
}
