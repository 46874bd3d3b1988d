import { type Scope, type Statement, statement } from '../scope.ts'

/** Puts a participant into a context and into every one above it; where it is already, nothing changes (S2-10). */
export function joinUpwards(scope: Scope, context: string, participant: string): Statement {
  return statement(scope, ADD, context, participant)
}

// Each id once, so that even a cycle comes to an end (B2-8).
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
