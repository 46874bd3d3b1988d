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

/** A context that is not written yet. It is written with version 1, and with its own space as the only participant. */
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
  /** Id of the context whose completion makes this context active; null if this context waits for none. */
  readonly waitsFor: string | null
}

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

/** Makes a context at a position under a parent; a root if the position is null. */
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

/** Returns the position of a child of the given parent. */
export function under(parent: { readonly id: string; readonly rootId: string; readonly depth: number }): ChildPosition {
  return { parentId: parent.id, rootId: parent.rootId, depth: parent.depth + 1 }
}

/** Returns a copy of a context that is blocked until the context `before` is completed. */
export function waiting(context: NewContext, before: NewContext): NewContext {
  return { ...context, status: 'blocked', waitsFor: before.id }
}

/** Returns why a context may not get a child; null if it may. */
export function whyNoChild(
  parent: { readonly status: ContextStatus; readonly depth: number },
  underTerminal: boolean,
): 'PARENT_TERMINAL' | 'MAX_DEPTH' | null {
  if (isTerminal(parent.status) && !underTerminal) return 'PARENT_TERMINAL'
  return parent.depth >= MAX_CONTEXT_DEPTH ? 'MAX_DEPTH' : null
}

/**
 * Writes contexts in the given order, in one transaction.
 *
 * @param guards further guards of the transaction
 * @returns the contexts as written, or null if a guard failed
 * @throws ERASURE_RUNNING if a context's person, or the person whose name is a context's space, is being erased
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

/**
 * Converts a context's JSON columns to text before the list of contexts becomes JSON itself, so that SQLite stores the
 * text unchanged.
 */
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
