import type { Grantable } from '../api/grant-operations.ts'
import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit, committedOrBusy, guard } from '../commit.ts'
import { cursorOf, type ListOf, readCursor } from '../contexts/cursor.ts'
import { noneBeingErased, refuseWhileErased } from '../people/tombstones.ts'
import { rows, type Scope, statement, type SqlValue } from '../scope.ts'

type Grant = OperationOutput<'grantAccess'>

/**
 * Allows a token or a person to read a context.
 *
 * @throws ChainError CONTEXT_NOT_FOUND, ERASURE_RUNNING, BUSY
 */
export async function grantAccess(
  scope: Scope,
  { contextId, token, person, operations, under, expiresAt, by = scope.by }: OperationInput<'grantAccess'>,
): Promise<Grant> {
  const context = 'EXISTS (SELECT 1 FROM contexts WHERE tenant = ?1 AND id = ?2)'
  const write = statement(
    scope,
    `INSERT INTO grants (tenant, id, context_id, token, user_id, operations, is_under, made_by, created_at, expires_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) RETURNING ${COLUMNS}`,
    scope.newId('grt'),
    contextId,
    token ?? null,
    person ?? null,
    JSON.stringify([...new Set(operations)]),
    under ? 1 : 0,
    by,
    scope.now(),
    expiresAt ?? null,
  )
  return committedOrBusy(async () => {
    const guards = [guard(scope, context, contextId), ...(await noneBeingErased(scope, [person, by]))]
    const done = await commit(scope, { guards, writes: [write] })
    if (done.ok) return grantOf(done.wrote[0]?.rows[0] as GrantRow)
    await refuseWhileErased(scope, [person, by])
    const [found] = await rows(scope, `SELECT 1 AS found WHERE ${context}`, contextId)
    if (!found) throw new ChainError('CONTEXT_NOT_FOUND', 'There is no context of this id.', '/body/contextId')
    return null
  })
}

/**
 * Returns a page of the grants of a context, a token or a person, oldest first, also those that are over.
 *
 * @throws ChainError INVALID_CURSOR
 */
export async function listGrants(
  scope: Scope,
  { contextId, token, person, limit, cursor }: OperationInput<'listGrants'>,
): Promise<OperationOutput<'listGrants'>> {
  const self: ListOf = { list: 'grants', of: { contextId, token, person } }
  const [column, value] =
    contextId !== undefined
      ? ['context_id', contextId]
      : token !== undefined
        ? ['token', token]
        : ['user_id', person ?? '']
  const [at, id] = readCursor(scope, self, [0, ''], cursor) ?? [-1, '']
  const found = await rows<GrantRow>(
    scope,
    `SELECT ${COLUMNS} FROM grants WHERE tenant = ?1 AND ${column} = ?2 AND (created_at, id) > (?3, ?4)
     ORDER BY created_at, id LIMIT ?5`,
    value,
    at as SqlValue,
    id as SqlValue,
    limit + 1,
  )
  const items = found.slice(0, limit).map(grantOf)
  const last = items.at(-1)
  return { items, next: found.length > limit && last ? cursorOf(scope, self, [last.createdAt, last.id]) : null }
}

/**
 * Revokes a grant. A grant that was revoked before keeps its time of revocation.
 *
 * @throws ChainError GRANT_NOT_FOUND
 */
export async function revokeGrant(scope: Scope, { grant }: OperationInput<'revokeGrant'>): Promise<Grant> {
  const end = statement(
    scope,
    `UPDATE grants SET revoked_at = coalesce(revoked_at, ?3) WHERE tenant = ?1 AND id = ?2 RETURNING ${COLUMNS}`,
    grant,
    scope.now(),
  )
  const done = await commit(scope, { guards: [], writes: [end] })
  const row = done.ok ? done.wrote[0]?.rows[0] : undefined
  if (!row) throw new ChainError('GRANT_NOT_FOUND', 'There is no grant of this id.', '/params/grant')
  return grantOf(row as GrantRow)
}

interface GrantRow {
  readonly [column: string]: SqlValue
  readonly id: string
  readonly context_id: string
  readonly token: string | null
  readonly user_id: string | null
  readonly operations: string
  readonly is_under: number
  readonly made_by: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
}

const COLUMNS = 'id, context_id, token, user_id, operations, is_under, made_by, created_at, expires_at, revoked_at'

function grantOf(row: GrantRow): Grant {
  return {
    id: row.id,
    contextId: row.context_id,
    token: row.token,
    person: row.user_id,
    operations: JSON.parse(row.operations) as Grantable[],
    under: row.is_under === 1,
    grantedBy: row.made_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }
}
