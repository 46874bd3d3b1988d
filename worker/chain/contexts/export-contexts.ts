import type { ContextFilter, Paging } from '../api/context-shapes.ts'
import type { Input, Output } from '../api/operations.ts'
import type { ContextVersion } from '../context.ts'
import { rowsTogether, type Scope, type Statement } from '../scope.ts'
import { statementOf } from './sql.ts'
import { filteredList } from './list-contexts.ts'
import { type List, pageSql, pageStatements, readPage } from './read-page.ts'
import { VERSION_COLUMNS, versionOf, type VersionRow } from './versions.ts'

/**
 * A page of the contexts that fit a filter, oldest first; with `history`, each with all its earlier states.
 *
 * @throws ChainError INVALID_CURSOR
 */
export function exportContexts(scope: Scope, input: Input<'exportContexts'>): Promise<Output<'exportContexts'>> {
  return exportPage(scope, 'export', input)
}

/** @param list the name of the list, which its cursors are made for */
export async function exportPage(
  scope: Scope,
  list: string,
  { history, limit, cursor, ...filter }: ContextFilter & Paging & { readonly history: boolean },
): Promise<Output<'exportContexts'>> {
  const asked = filteredList(scope, filter, { list: history ? `${list} with history` : list, limit, cursor })
  const weight = history ? HISTORY_WEIGHT : '0'
  const page = pageStatements(scope, asked, weight)
  const answers = await rowsTogether(scope, [...page, ...(history ? [historyStatement(scope, asked)] : [])])
  const { items, next } = readPage(scope, asked, answers.slice(0, page.length))
  if (!history) return { items, next }
  const versions = versionsByContext(
    (answers.at(-1) ?? []) as unknown as readonly (VersionRow & { readonly context: string })[],
  )
  return { items: items.map((each) => ({ ...each, previousVersions: versions.get(each.id) ?? [] })), next }
}

/** The earlier states of a page's contexts, oldest first: a row each, since a row may not have more than 2 MB in D1. */
function historyStatement(scope: Scope, list: List): Statement {
  const versions = `CROSS JOIN context_versions ON context_versions.tenant = ?1
    AND context_versions.context_id = contexts.id`
  return statementOf(
    scope,
    pageSql(list, HISTORY_WEIGHT, `context_versions.context_id AS context, ${VERSION_COLUMNS}`, versions),
  )
}

function versionsByContext(
  found: readonly (VersionRow & { readonly context: string })[],
): ReadonlyMap<string, readonly ContextVersion[]> {
  const byContext = new Map<string, ContextVersion[]>()
  for (const row of found) {
    const versions = byContext.get(row.context)
    if (versions) versions.push(versionOf(row))
    else byContext.set(row.context, [versionOf(row)])
  }
  return byContext
}

const HISTORY_WEIGHT = `(SELECT coalesce(sum(200 + octet_length(data) + octet_length(purpose)
    + coalesce(octet_length(description), 0)), 0)
  FROM context_versions WHERE tenant = ?1 AND context_id = contexts.id)`
