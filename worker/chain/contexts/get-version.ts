import type { Input, Output } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { rowsTogether, type Scope, statement } from '../scope.ts'
import { contextNotFound } from './read-context.ts'
import { LATEST_COLUMNS, VERSION_COLUMNS, versionOf, type VersionRow } from './versions.ts'

/**
 * What a context was at a version.
 *
 * @throws ChainError CONTEXT_NOT_FOUND, VERSION_NOT_FOUND
 */
export async function getVersion(
  scope: Scope,
  { context, version }: Input<'getVersion'>,
): Promise<Output<'getVersion'>> {
  const latest = `SELECT ${LATEST_COLUMNS} FROM contexts WHERE contexts.tenant = ?1 AND contexts.id = ?2`
  const earlier = `SELECT ${VERSION_COLUMNS} FROM context_versions WHERE tenant = ?1 AND context_id = ?2 AND version = ?3`
  const [[now] = [], [then] = []] = (await rowsTogether(scope, [
    statement(scope, latest, context),
    statement(scope, earlier, context, version),
  ])) as unknown as readonly VersionRow[][]
  if (!now) return contextNotFound()
  if (now.version === version) return versionOf(now)
  if (then) return versionOf(then)
  throw new ChainError('VERSION_NOT_FOUND', 'The context has never been at this version.', '/params/version')
}
