import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { commit } from '../commit.ts'
import type { Context } from '../context.ts'
import { erasureRunning, noneBeingErased } from '../people/tombstones.ts'
import { type Scope, statement, type Statement } from '../scope.ts'
import { contextNotFound, theseContexts, written } from './read-context.ts'

/**
 * Adds a participant to a context and to all its ancestors, in one statement. A repeated call changes nothing.
 *
 * @throws CONTEXT_NOT_FOUND, ERASURE_RUNNING
 */
export function addParticipant(
  scope: Scope,
  { context, participant }: OperationInput<'addParticipant'>,
): Promise<OperationOutput<'addParticipant'>> {
  return commitFor(scope, context, [joinUpwards(scope, context, participant)], [participant])
}

/**
 * Removes a participant from a context and from everything under it, in one statement. A context whose own memory space
 * is the participant keeps the participant.
 *
 * @throws CONTEXT_NOT_FOUND
 */
export function removeParticipant(
  scope: Scope,
  { context, participant }: OperationInput<'removeParticipant'>,
): Promise<OperationOutput<'removeParticipant'>> {
  return commitFor(scope, context, [statement(scope, REMOVE, context, participant)])
}

// UNION drops repeated ids, so that the recursion also ends if the parents form a cycle.
const REMOVE = `UPDATE contexts SET participants = (
    SELECT json_group_array(one.value) FROM json_each(contexts.participants) AS one WHERE one.value <> ?3
  )
  WHERE tenant = ?1 AND id IN (
    WITH RECURSIVE below (id) AS (
      SELECT ?2
      UNION
      SELECT child.id FROM below CROSS JOIN contexts AS child ON child.tenant = ?1 AND child.parent_id = below.id
    )
    SELECT id FROM below
  )
  AND space <> ?3 AND EXISTS (SELECT 1 FROM json_each(contexts.participants) AS one WHERE one.value = ?3)`

/**
 * Makes the SQL statement that adds a participant to a context and all its ancestors. Contexts that have the
 * participant already do not change.
 */
export function joinUpwards(scope: Scope, context: string, participant: string): Statement {
  return statement(scope, ADD, context, participant)
}

// UNION drops repeated ids, so that the recursion also ends if the parents form a cycle.
const ADD = `UPDATE contexts SET participants = json_insert(participants, '$[#]', ?3)
  WHERE tenant = ?1 AND id IN (
    WITH RECURSIVE up (id) AS (
      SELECT ?2
      UNION
      SELECT contexts.parent_id FROM up CROSS JOIN contexts ON contexts.tenant = ?1 AND contexts.id = up.id
      WHERE contexts.parent_id IS NOT NULL
    )
    SELECT id FROM up
  )
  AND NOT EXISTS (SELECT 1 FROM json_each(contexts.participants) AS one WHERE one.value = ?3)`

/**
 * Runs statements that change a context and its ancestors or descendants, and returns the context.
 *
 * @param named the names of people that the statements write
 * @returns the context after the change
 * @throws CONTEXT_NOT_FOUND; ERASURE_RUNNING if one of the named people is being erased
 */
async function commitFor(
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
