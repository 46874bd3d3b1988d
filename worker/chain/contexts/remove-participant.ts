import type { Input, Output } from '../api/operations.ts'
import { type Scope, statement } from '../scope.ts'
import { commitFor } from './commit-for.ts'

/**
 * Lets somebody take part no more, in a context and in everything under it, in one statement. In what is their own they
 * take part all the same.
 *
 * @throws CONTEXT_NOT_FOUND
 */
export function removeParticipant(
  scope: Scope,
  { context, participant }: Input<'removeParticipant'>,
): Promise<Output<'removeParticipant'>> {
  return commitFor(scope, context, [statement(scope, REMOVE, context, participant)])
}

// Each id once, so that even a cycle comes to an end (B2-8).
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
