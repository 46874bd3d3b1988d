import type { ContextStatus, FreeData } from '../context.ts'
import { type Scope, type Statement, statement, type SqlValue } from '../scope.ts'
import type { ContextContent } from './run-data.ts'

/** A context of a run that is not written yet. */
export interface NewRunContext {
  readonly id: string
  readonly content: ContextContent
  readonly space: string
  readonly userId: string
  /** When the context is created, in milliseconds since 1970. */
  readonly at: number
}

const COLUMNS = `tenant, id, parent_id, root_id, depth, purpose, description, space, user_id, participants,
  conversation_id, message_ids, data, status, auto_complete, created_at, updated_at, version, updated_by`

/** Makes the statement that writes the root of a run. */
export function insertRun(scope: Scope, context: NewRunContext): Statement {
  return statement(
    scope,
    `INSERT INTO contexts (${COLUMNS})
     VALUES (?1, ?2, NULL, ?2, 0, ?3, ?4, ?5, ?6, json_array(?5), NULL, NULL, ?7, 'active', 'never', ?8, ?8, 1, ?9)`,
    ...valuesOf(scope, context),
  )
}

/**
 * Makes the statement that writes a context under its parent, even if the parent has moved in the tree. The context's
 * creation time is never earlier than its parent's. If the parent no longer exists, the statement writes nothing.
 *
 * @param conversation the session that the context is for, or null
 */
export function insertUnder(
  scope: Scope,
  parent: string,
  context: NewRunContext,
  conversation: string | null = null,
): Statement {
  return statement(
    scope,
    `INSERT INTO contexts (${COLUMNS})
     SELECT ?1, ?2, id, root_id, depth + 1, ?3, ?4, ?5, ?6, json_array(?5),
       ?11, iif(?11 IS NULL, NULL, '[]'), ?7, 'active', 'never', max(?8, created_at), max(?8, created_at), 1, ?9
     FROM contexts WHERE tenant = ?1 AND id = ?10`,
    ...valuesOf(scope, context),
    parent,
    conversation,
  )
}

function valuesOf(scope: Scope, { id, content, space, userId, at }: NewRunContext): readonly SqlValue[] {
  return [id, content.purpose, content.description, space, userId, JSON.stringify(content.data), at, scope.by]
}

/**
 * Makes the statement that writes the next version of a context: `data` is merged into the context's data. `status`
 * replaces the context's status; null keeps that status. The caller must add guards for the state that the change
 * depends on. The time of a version is never earlier than the time of the previous version.
 */
export function nextVersion(
  scope: Scope,
  id: string,
  { status, data, at }: { status: ContextStatus | null; data: FreeData; at: number },
): Statement {
  return statement(
    scope,
    `UPDATE contexts SET status = coalesce(?3, status), data = json_patch(data, ?4), version = version + 1,
       updated_at = max(updated_at, ?5), updated_by = ?6,
       completed_at = iif(?3 = 'completed', max(updated_at, ?5), completed_at)
     WHERE tenant = ?1 AND id = ?2`,
    id,
    status,
    JSON.stringify(data),
    at,
    scope.by,
  )
}

/**
 * Makes the statement that completes every waiting hand-over to a colleague in a run. The statement searches the
 * contexts of the run, because a run has few contexts, whereas the colleague's space has the contexts of all learners.
 */
export function takeHandOvers(
  scope: Scope,
  { run, npc, context, at }: { run: string; npc: string; context: string; at: number },
): Statement {
  return statement(
    scope,
    `UPDATE contexts SET status = 'completed', data = json_set(data, '$.takenBy', ?4), version = version + 1,
       updated_at = max(updated_at, ?5), updated_by = ?6, completed_at = max(updated_at, ?5)
     WHERE tenant = ?1 AND root_id = ?2 AND +space = ?3 AND +status = 'active' AND json_extract(data, '$.handOver') = ?3`,
    run,
    npc,
    context,
    at,
    scope.by,
  )
}
