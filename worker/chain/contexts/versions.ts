import type { OperationInput, OperationOutput } from '../api/operations.ts'
import type { ContextStatus, ContextVersion } from '../context.ts'
import { rowsTogether, type Scope, type Statement } from '../scope.ts'
import { cursorOf, type ListOf, readCursor } from './cursor.ts'
import { contextNotFound, jsonOf } from './read-context.ts'
import { PAGE_BYTES } from './read-page.ts'
import { statementOf } from './sql.ts'

/** A state of a context, with the columns of `VERSION_COLUMNS` or `LATEST_COLUMNS`. */
export interface VersionRow {
  readonly version: number
  readonly status: ContextStatus
  readonly purpose: string
  readonly description: string | null
  readonly data: string
  readonly at: number
  readonly made_by: string
}

/** The columns of an earlier state, from `context_versions`. */
export const VERSION_COLUMNS = `context_versions.version, context_versions.status, context_versions.purpose,
  context_versions.description, context_versions.data, context_versions.at, context_versions.made_by`

/** The columns of the latest state, from `contexts`. */
export const LATEST_COLUMNS = `contexts.version, contexts.status, contexts.purpose, contexts.description, contexts.data,
  contexts.updated_at AS at, contexts.updated_by AS made_by`

export function versionOf(columns: object): ContextVersion {
  const row = columns as VersionRow
  return {
    version: row.version,
    status: row.status,
    purpose: row.purpose,
    description: row.description,
    data: jsonOf(row.data),
    timestamp: row.at,
    updatedBy: row.made_by,
  }
}

/**
 * Returns a page of a context's states, oldest first. The last state on the last page is the present state.
 *
 * @throws ChainError CONTEXT_NOT_FOUND, INVALID_CURSOR
 */
export async function listVersions(
  scope: Scope,
  { context, limit, cursor }: OperationInput<'listVersions'>,
): Promise<OperationOutput<'listVersions'>> {
  const self: ListOf = { list: 'versions', of: { context } }
  const [after = 0] = (readCursor(scope, self, [0], cursor) ?? []).map(Number)
  const statements = [latestStatement(scope, context), earlierStatement(scope, context, after, limit)]
  const [[latest] = [], earlier = []] = (await rowsTogether(scope, statements)) as unknown as readonly (VersionRow &
    MoreCount)[][]
  if (!latest) return contextNotFound()
  // The latest state belongs on the page if the page has all earlier states and room for one more.
  const last = earlier.at(-1)
  const isWhole = (last?.more ?? 0) === 0 && earlier.length < limit
  const page = isWhole && latest.version > after ? [...earlier, latest] : earlier
  const end = page.at(-1)
  const goesOn = end !== undefined && end.version < latest.version
  return { items: page.map(versionOf), next: goesOn ? cursorOf(scope, self, [end.version]) : null }
}

interface MoreCount {
  /** The number of further earlier states that the statement found after this state. */
  readonly more?: number
}

function latestStatement(scope: Scope, context: string): Statement {
  return statementOf(
    scope,
    (bind) => `SELECT ${LATEST_COLUMNS} FROM contexts WHERE contexts.tenant = ?1 AND contexts.id = ${bind(context)}`,
  )
}

/** Makes a statement that selects as many earlier states as fit into a page, by number and by bytes. */
function earlierStatement(scope: Scope, context: string, after: number, limit: number): Statement {
  return statementOf(scope, (bind) => {
    const id = bind(context)
    return `SELECT ${VERSION_COLUMNS}, weighed.found - weighed.place AS more FROM (
        SELECT looked.version, row_number() OVER (ROWS UNBOUNDED PRECEDING) AS place, count(*) OVER () AS found,
          sum(looked.weight) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
        FROM (
          SELECT version, 200 + octet_length(data) + octet_length(purpose) + coalesce(octet_length(description), 0)
            AS weight
          FROM context_versions WHERE tenant = ?1 AND context_id = ${id} AND version > ${bind(after)}
          ORDER BY version LIMIT ${limit + 1}
        ) AS looked
      ) AS weighed
      CROSS JOIN context_versions ON context_versions.tenant = ?1 AND context_versions.context_id = ${id}
        AND context_versions.version = weighed.version
      WHERE weighed.place <= ${limit} AND coalesce(weighed.before, 0) < ${PAGE_BYTES}`
  })
}
