import { commit } from '../commit.ts'
import {
  type AutoComplete,
  type Context,
  type ContextStatus,
  type ConversationRef,
  type FreeData,
  MAX_CONTEXT_DEPTH,
} from '../context.ts'
import { noneBeingErased, refuseWhileErased } from '../people/tombstones.ts'
import { type Scope, type Statement, statement } from '../scope.ts'
import { isTerminal } from './change-context.ts'
import { theseContexts, written } from './read-context.ts'
import { inParts } from './sql.ts'

/** A context before it is written. It has version 1, and only its own space takes part. */
export interface NewContext {
  readonly id: string
  readonly parentId: string | null
  readonly rootId: string
  readonly depth: number
  readonly purpose: string
  readonly description: string | null
  readonly space: string
  readonly userId: string | null
  readonly conversationRef: ConversationRef | null
  readonly data: FreeData
  readonly status: ContextStatus
  readonly autoComplete: AutoComplete
  /** The context whose completion makes this one active. */
  readonly waitsFor: string | null
}

/** The fields that a request gives for a new context. */
interface NewContextFields {
  readonly purpose: string
  readonly memorySpaceId: string
  readonly description?: string | undefined
  readonly userId?: string | undefined
  readonly conversationRef?: ConversationRef | undefined
  readonly data: FreeData
  readonly autoComplete?: AutoComplete | undefined
}

/** The position of a child in the tree. */
export interface ChildPosition {
  readonly parentId: string
  readonly rootId: string
  readonly depth: number
}

/** Makes a context under another, or a root. */
export function newContext(id: string, fields: NewContextFields, place: ChildPosition | null): NewContext {
  return {
    id,
    parentId: place?.parentId ?? null,
    rootId: place?.rootId ?? id,
    depth: place?.depth ?? 0,
    purpose: fields.purpose,
    description: fields.description ?? null,
    space: fields.memorySpaceId,
    userId: fields.userId ?? null,
    conversationRef: fields.conversationRef ?? null,
    data: fields.data,
    status: 'active',
    autoComplete: fields.autoComplete ?? 'never',
    waitsFor: null,
  }
}

/** Returns the position under a context. */
export function under(parent: { readonly id: string; readonly rootId: string; readonly depth: number }): ChildPosition {
  return { parentId: parent.id, rootId: parent.rootId, depth: parent.depth + 1 }
}

/** Returns the same context, blocked until another one is completed. */
export function waiting(context: NewContext, before: NewContext): NewContext {
  return { ...context, status: 'blocked', waitsFor: before.id }
}

/** Returns why a context takes no child, or null. */
export function whyNoChild(
  parent: { readonly status: ContextStatus; readonly depth: number },
  underTerminal: boolean,
): 'PARENT_TERMINAL' | 'MAX_DEPTH' | null {
  if (isTerminal(parent.status) && !underTerminal) return 'PARENT_TERMINAL'
  return parent.depth >= MAX_CONTEXT_DEPTH ? 'MAX_DEPTH' : null
}

/**
 * Writes contexts in their order, in one transaction.
 *
 * @param guards further conditions of the transaction
 * @returns the contexts as written, or null if a guard failed
 * @throws ERASURE_RUNNING if a person they are about, or whose space they are, is being erased
 */
export async function insertContexts(
  scope: Scope,
  contexts: readonly NewContext[],
  guards: readonly Statement[] = [],
): Promise<readonly Context[] | null> {
  const people = contexts.flatMap(({ userId, space }) => [userId, space])
  const at = scope.now()
  const inserts = inParts(contexts.map(stored)).map((part) => statement(scope, INSERT, part, at, scope.by))
  const ids = contexts.map(({ id }) => id)
  const done = await commit(scope, {
    guards: [...(await noneBeingErased(scope, people)), ...guards],
    writes: [...inserts, theseContexts(scope, ids)],
  })
  if (done.ok) return written(done)
  await refuseWhileErased(scope, people)
  return null
}

/** Writes JSON columns as text within the list, so that they are stored unchanged. */
function stored({ conversationRef, data, ...context }: NewContext) {
  return {
    ...context,
    data: JSON.stringify(data),
    participants: JSON.stringify([context.space]),
    conversationId: conversationRef?.conversationId ?? null,
    messageIds: conversationRef && JSON.stringify(conversationRef.messageIds),
  }
}

const INSERT = `INSERT INTO contexts (tenant, id, parent_id, root_id, depth, purpose, description, space, user_id,
    participants, conversation_id, message_ids, data, status, auto_complete, waits_for, created_at, updated_at, version,
    updated_by)
  SELECT ?1, new.value ->> 'id', new.value ->> 'parentId', new.value ->> 'rootId', new.value ->> 'depth',
    new.value ->> 'purpose', new.value ->> 'description', new.value ->> 'space', new.value ->> 'userId',
    new.value ->> 'participants', new.value ->> 'conversationId', new.value ->> 'messageIds', new.value ->> 'data',
    new.value ->> 'status', new.value ->> 'autoComplete', new.value ->> 'waitsFor', ?3, ?3, 1, ?4
  FROM json_each(?2) AS new ORDER BY new.key`
