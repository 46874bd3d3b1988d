import type { ContextStatus, FreeData } from '../context.ts'
import { type Scope, type Statement, statement, type SqlValue } from '../scope.ts'
import type { ContextContent } from './run-data.ts'

/** A context of a run before it is written. */
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
 * Makes the statement that writes a context under its parent, wherever the parent is by then. The context is never
 * older than its parent. If the parent is gone, the statement writes nothing.
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
 * Makes the statement that writes the next version of a context: merged data, and a status unless that is null. The
 * caller must guard the state on which it decided. No version is earlier than the one before it.
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
 * Makes the statement that completes every waiting hand-over to this colleague in the run. It searches by run, which
 * has few contexts; a colleague's space has the contexts of all learners.
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
