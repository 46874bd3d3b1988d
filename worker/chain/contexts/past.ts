import type { OperationOutput } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import type { ContextVersion } from '../context.ts'
import { rowsTogether, type Scope, type Statement, statement } from '../scope.ts'
import { CONTEXT_COLUMNS, contextNotFound } from './read-context.ts'
import { type List, pageSql, pageStatements, readPage } from './read-page.ts'
import { type Bind, statementOf } from './sql.ts'
import { LATEST_COLUMNS, VERSION_COLUMNS, versionOf, type VersionRow } from './versions.ts'

const LATEST = `SELECT ${LATEST_COLUMNS} FROM contexts WHERE contexts.tenant = ?1 AND contexts.id = ?2`

/**
 * Returns a context's state at a version.
 *
 * @throws ChainError CONTEXT_NOT_FOUND, VERSION_NOT_FOUND
 */
export async function versionAt(scope: Scope, context: string, version: number): Promise<ContextVersion> {
  const earlier = `SELECT ${VERSION_COLUMNS} FROM context_versions WHERE tenant = ?1 AND context_id = ?2 AND version = ?3`
  const [[now] = [], [then] = []] = await rowsTogether(scope, [
    statement(scope, LATEST, context),
    statement(scope, earlier, context, version),
  ])
  if (!now) return contextNotFound()
  const row = Number(now['version']) === version ? now : then
  if (row) return versionOf(row)
  throw new ChainError('VERSION_NOT_FOUND', 'The context has never been at this version.', '/query/version')
}

/**
 * Returns a context's state at a time: the last version made at or before that time. Of two versions with the same
 * time, the later version counts. Returns null for a time before the first version.
 *
 * @throws ChainError CONTEXT_NOT_FOUND
 */
export async function versionAtTime(scope: Scope, context: string, time: number): Promise<ContextVersion | null> {
  const earlier = `SELECT ${VERSION_COLUMNS} FROM context_versions INDEXED BY context_versions_by_time
    WHERE tenant = ?1 AND context_id = ?2 AND at <= ?3 ORDER BY at DESC, version DESC LIMIT 1`
  const [[now] = [], [then] = []] = await rowsTogether(scope, [
    statement(scope, LATEST, context),
    statement(scope, earlier, context, time),
  ])
  if (!now) return contextNotFound()
  const row = Number(now['at']) <= time ? now : then
  return row ? versionOf(row) : null
}

/**
 * Returns a page of contexts, on request with their earlier states.
 *
 * @param history adds all earlier states of each context
 * @param at adds the state of each context at this time; `list` must leave out contexts that did not exist yet at this
 *   time
 */
export async function pastPage(
  scope: Scope,
  list: List,
  { history, at }: { readonly history: boolean; readonly at?: number | undefined },
): Promise<OperationOutput<'listContexts'>> {
  const shape = { weight: (bind: Bind) => weightOf(bind, history, at), columns: (bind: Bind) => columnsOf(bind, at) }
  const page = pageStatements(scope, list, shape)
  const answers = await rowsTogether(scope, [...page, ...(history ? [historyStatement(scope, list, at)] : [])])
  const { items, next } = readPage(scope, list, answers.slice(0, page.length))
  const states = (answers[0] ?? []).map(({ state }) => state)
  const versions = history ? versionsByContext((answers.at(-1) ?? []) as unknown as readonly HistoryRow[]) : null
  return {
    items: items.map((item, index) => ({
      ...item,
      ...(at !== undefined && { state: versionOf(JSON.parse(String(states[index]))) }),
      ...(versions && { previousVersions: versions.get(item.id) ?? [] }),
    })),
    next,
  }
}

function columnsOf(bind: Bind, at: number | undefined): string {
  return at === undefined ? CONTEXT_COLUMNS : `${CONTEXT_COLUMNS}, ${stateColumn(bind(at))} AS state`
}

function weightOf(bind: Bind, history: boolean, at: number | undefined): string {
  return [history ? HISTORY_WEIGHT : '0', at === undefined ? '0' : weightAt(bind(at))].join(' + ')
}

/**
 * Returns SQL for a context's state at a time, as JSON: the present state if it was made at or before that time,
 * otherwise an earlier version.
 */
function stateColumn(time: string): string {
  const latest = `json_object('version', contexts.version, 'status', contexts.status, 'purpose', contexts.purpose,
    'description', contexts.description, 'data', contexts.data, 'at', contexts.updated_at, 'made_by', contexts.updated_by)`
  const earlier = earlierAt(
    time,
    `json_object('version', version, 'status', status, 'purpose', purpose, 'description', description, 'data', data,
      'at', at, 'made_by', made_by)`,
  )
  return `CASE WHEN contexts.updated_at <= ${time} THEN ${latest} ELSE (${earlier}) END`
}

/**
 * Returns SQL for the size of a context's earlier state at a time; 0 if the present state was made at or before that
 * time. The size is needed because an earlier state may be much larger than the present one.
 */
function weightAt(time: string): string {
  const size = earlierAt(time, 'octet_length(data) + octet_length(purpose) + coalesce(octet_length(description), 0)')
  return `CASE WHEN contexts.updated_at <= ${time} THEN 0 ELSE (${size}) END`
}

/** Returns SQL that selects `what` from the last earlier version made at or before a time. */
function earlierAt(time: string, what: string): string {
  return `SELECT ${what} FROM context_versions INDEXED BY context_versions_by_time
    WHERE tenant = ?1 AND context_id = contexts.id AND at <= ${time} ORDER BY at DESC, version DESC LIMIT 1`
}

interface HistoryRow extends VersionRow {
  readonly context: string
}

/**
 * Makes a statement that selects the earlier states of a page's contexts, oldest first. Each state is a row of its own,
 * because a row of D1 holds 2 MB at most.
 */
function historyStatement(scope: Scope, list: List, at: number | undefined): Statement {
  return statementOf(
    scope,
    pageSql(list, {
      weight: (bind) => weightOf(bind, true, at),
      columns: () => `context_versions.context_id AS context, ${VERSION_COLUMNS}`,
      join: `CROSS JOIN context_versions ON context_versions.tenant = ?1 AND context_versions.context_id = contexts.id`,
    }),
  )
}

function versionsByContext(found: readonly HistoryRow[]): ReadonlyMap<string, readonly ContextVersion[]> {
  const byContext = Map.groupBy(found, ({ context }) => context)
  return new Map([...byContext].map(([context, rows]) => [context, rows.map(versionOf)]))
}

const HISTORY_WEIGHT = `(SELECT coalesce(sum(200 + octet_length(data) + octet_length(purpose)
    + coalesce(octet_length(description), 0)), 0)
  FROM context_versions WHERE tenant = ?1 AND context_id = contexts.id)`
