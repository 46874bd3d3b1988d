import { commit } from '../commit.ts'
import type { Context } from '../context.ts'
import { type Scope, type Statement, statement } from '../scope.ts'
import { inParts } from './in-parts.ts'
import type { NewContext } from './new-context.ts'
import { noneBeingErased, refuseWhileErased } from '../people/not-while-erased.ts'
import { theseContexts, written } from './written-contexts.ts'

/**
 * Writes contexts that begin together, in their order, in one transaction.
 *
 * @param guards what has to hold besides
 * @returns them as they stand, or null when a guard did not hold.
 * @throws ERASURE_RUNNING when one of the people they are about, or whose space they are, is being erased
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

/** What is JSON in the table is text in the list, so that it is stored as it is. */
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
