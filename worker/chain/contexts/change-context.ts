import { dataProblem } from '../api/shapes.ts'
import { ChainError } from '../chain-error.ts'
import type { ContextStatus, FreeData } from '../context.ts'
import { type Scope, type Statement, statement } from '../scope.ts'
import { inParts } from './sql.ts'

const TRANSITIONS: Readonly<Record<ContextStatus, readonly ContextStatus[]>> = {
  active: ['completed', 'cancelled', 'blocked'],
  blocked: ['active', 'cancelled'],
  completed: [],
  cancelled: [],
}

function mayBecome(from: ContextStatus, to: ContextStatus): boolean {
  return TRANSITIONS[from].includes(to)
}

/** Returns true if a context can never leave the status. */
export function isTerminal(status: ContextStatus): boolean {
  return TRANSITIONS[status].length === 0
}

/**
 * Merges two objects by their top-level keys, not recursively. The value from `over` wins, even if it is `null`.
 *
 * Every key becomes an own property of the result, even `__proto__`. `Object.assign` would set the result's prototype
 * instead.
 */
export function mergedData(below: FreeData, over: FreeData): FreeData {
  return Object.fromEntries([...Object.entries(below), ...Object.entries(over)])
}

interface VersionedFields {
  readonly status: ContextStatus
  readonly purpose: string
  readonly description: string | null
  readonly data: FreeData
}

/** The requested changes. Fields that are not named stay unchanged. */
export interface Updates {
  readonly status?: ContextStatus | undefined
  readonly purpose?: string | undefined
  readonly description?: string | null | undefined
  readonly data?: FreeData | undefined
}

/** Returns the next state of a context, or the error if the change is not allowed. */
export function changeOf(now: VersionedFields, updates: Updates): VersionedFields | ChainError {
  const { status = now.status, purpose = now.purpose, description = now.description } = updates
  if (updates.status !== undefined && !mayBecome(now.status, updates.status)) {
    return new ChainError('INVALID_TRANSITION', `Invalid transition: ${now.status} -> ${status}`, '/body/status')
  }
  if (updates.data === undefined) return { status, purpose, description, data: now.data }
  const data = mergedData(now.data, updates.data)
  const problem = dataProblem(data)
  if (problem) return new ChainError(problem, 'merged with what is there, the data is too much', '/body/data')
  return { status, purpose, description, data }
}

export function changesNothing({ status, purpose, description, data }: Updates): boolean {
  return [status, purpose, description, data].every((value) => value === undefined)
}

/** A change to write. Fields that are not named stay unchanged. `data` is JSON text. */
export interface ContextChange {
  readonly id: string
  readonly status?: string
  readonly purpose?: string
  /** The new description; null removes the description. */
  readonly description?: string | null
  readonly data?: string
}

/**
 * Makes the SQL statements that write the next version of each changed context. The time of a version is never earlier
 * than the time of the previous version. Triggers of the table store the previous version, and activate each step that
 * waited for a context that is now completed.
 */
export function changing(scope: Scope, changes: readonly ContextChange[], by: string): Statement[] {
  const at = scope.now()
  return inParts(changes).map((part) => statement(scope, SQL, part, at, by))
}

// SQLite reads the list of changes first and then updates the listed contexts by row number. Without `MATERIALIZED`,
// SQLite would read all contexts and search the list for each.
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
