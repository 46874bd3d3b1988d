import type { Input, Output } from '../api/operations.ts'
import { commit } from '../commit.ts'
import type { Grant } from '../context.ts'
import { type Scope, statement } from '../scope.ts'
import { erasureRunning, noneBeingErased } from '../people/tombstones.ts'
import { contextNotFound } from './read-context.ts'

/**
 * Notes that another memory space may see a context, or work in it. Given again, it holds as it was given last. The note is
 * for the tenant's own systems: no question of the chain goes by it.
 *
 * @returns everybody it is given to, in the order of when.
 * @throws CONTEXT_NOT_FOUND, ERASURE_RUNNING
 */
export async function grantAccess(
  scope: Scope,
  { context, memorySpaceId, access }: Input<'grantAccess'>,
): Promise<Output<'grantAccess'>> {
  const writes = [
    statement(scope, GRANT, context, memorySpaceId, access, scope.now(), scope.by),
    statement(scope, GRANTS, context),
  ]
  const done = await commit(scope, { guards: await noneBeingErased(scope, [memorySpaceId]), writes })
  if (!done.ok) throw erasureRunning()
  const grants = (done.wrote[1]?.rows ?? []) as unknown as readonly Grant[]
  return grants.length > 0 ? { grants } : contextNotFound()
}

const GRANT = `INSERT INTO context_grants (tenant, context_id, space, access, at, given_by)
  SELECT ?1, id, ?3, ?4, ?5, ?6 FROM contexts WHERE tenant = ?1 AND id = ?2
  ON CONFLICT DO UPDATE SET access = excluded.access, at = excluded.at, given_by = excluded.given_by`

const GRANTS = `SELECT space AS memorySpaceId, access, at, given_by AS givenBy FROM context_grants
  WHERE tenant = ?1 AND context_id = ?2 ORDER BY at, space`
