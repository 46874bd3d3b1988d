import { type Scope, type Statement, statement } from '../scope.ts'
import { inParts } from './in-parts.ts'

/** A context and what of it is to be written; what is not named stays. `data` is JSON text. */
export interface Change {
  readonly id: string
  readonly status?: string
  readonly purpose?: string
  /** Null takes it away. */
  readonly description?: string | null
  readonly data?: string
}

/**
 * The next version of each of these contexts. Its time is never before the one that it follows. The version before it, and
 * the step that a completion begins, come by the table's triggers.
 */
export function changing(scope: Scope, changes: readonly Change[], by: string): Statement[] {
  const at = scope.now()
  return inParts(changes).map((part) => statement(scope, SQL, part, at, by))
}

// The list is looked up first, and its rows are then changed by their numbers. Left to itself, SQLite walks all contexts
// there are and looks each up in the list.
const SQL = `WITH change (row, value) AS MATERIALIZED (
    SELECT found.row, one.value FROM json_each(?2) AS one
      CROSS JOIN contexts AS found ON found.tenant = ?1 AND found.id = one.value ->> 'id'
  )
  UPDATE contexts SET
    status = coalesce(change.value ->> 'status', contexts.status),
    purpose = coalesce(change.value ->> 'purpose', contexts.purpose),
    description = CASE WHEN change.value -> 'description' IS NULL THEN contexts.description
      ELSE change.value ->> 'description' END,
    data = coalesce(change.value ->> 'data', contexts.data),
    version = contexts.version + 1,
    updated_at = max(contexts.updated_at, ?3),
    completed_at = CASE WHEN contexts.status <> 'completed' AND change.value ->> 'status' = 'completed'
      THEN max(contexts.updated_at, ?3) ELSE contexts.completed_at END,
    updated_by = ?4
  FROM change WHERE contexts.row = change.row`
