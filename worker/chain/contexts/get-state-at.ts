import type { Input, Output } from '../api/operations.ts'
import { rowsTogether, type Scope, statement } from '../scope.ts'
import { contextNotFound } from './read-context.ts'
import { LATEST_COLUMNS, VERSION_COLUMNS, versionOf } from './versions.ts'

/**
 * What a context was at a time: the last of its versions that had been made by then, and of two made in the same
 * millisecond the later. Null before the first.
 *
 * @throws ChainError CONTEXT_NOT_FOUND
 */
export async function getStateAt(scope: Scope, { context, time }: Input<'getStateAt'>): Promise<Output<'getStateAt'>> {
  const latest = `SELECT ${LATEST_COLUMNS} FROM contexts WHERE contexts.tenant = ?1 AND contexts.id = ?2`
  const earlier = `SELECT ${VERSION_COLUMNS} FROM context_versions INDEXED BY context_versions_by_time
    WHERE tenant = ?1 AND context_id = ?2 AND at <= ?3 ORDER BY at DESC, version DESC LIMIT 1`
  const [[now] = [], [then] = []] = await rowsTogether(scope, [
    statement(scope, latest, context),
    statement(scope, earlier, context, time),
  ])
  if (!now) return contextNotFound()
  const row = Number(now['at']) <= time ? now : then
  return { state: row ? versionOf(row) : null }
}
