import type { ContextFilter } from '../api/context-shapes.ts'
import type { OperationInput, OperationOutput } from '../api/operations.ts'
import type { Scope, Statement } from '../scope.ts'
import { firstRow } from '../scope.ts'
import { all, statementOf } from './sql.ts'
import { MOST_LOOKED_AT } from './read-page.ts'
import { indexToCount } from './way-in.ts'

/**
 * Counts the contexts that match a filter. Triggers maintain counts by memory space, status, depth and whether a
 * context has children. For a filter with other fields, at most 2,000 rows are read; if there are more, `exact` is
 * false.
 */
export async function countContexts(
  scope: Scope,
  filter: OperationInput<'countContexts'>,
): Promise<OperationOutput<'countContexts'>> {
  const asked = isCounted(filter) ? countedStatement(scope, filter) : countingStatement(scope, filter)
  const row = await firstRow<{ count: number; exact: number }>(scope, asked.sql, ...asked.values.slice(1))
  return { count: row?.count ?? 0, exact: row?.exact !== 0 }
}

/** The filter fields for which triggers maintain counts (tables/context-counts.ts). */
type CountedFilter = Pick<ContextFilter, 'memorySpaceId' | 'status' | 'depth' | 'leaf'>

function isCounted(filter: ContextFilter): boolean {
  const { memorySpaceId: _space, status: _status, depth: _depth, leaf: _leaf, ...others } = filter
  return Object.values(others).every((value) => value === undefined)
}

/**
 * Adds up the maintained counts. They are at most 88 rows: four statuses times eleven depths, with children and
 * without.
 */
function countedStatement(scope: Scope, { memorySpaceId = '', status, depth, leaf }: CountedFilter): Statement {
  return statementOf(scope, (bind) => {
    const kinds = [
      ...(status === undefined ? [] : [`status = ${bind(status)}`]),
      ...(depth === undefined ? [] : [`depth = ${bind(depth)}`]),
      ...(leaf === undefined ? [] : [`leaf = ${leaf ? 1 : 0}`]),
    ]
    const where = ['tenant = ?1', `space = ${bind(memorySpaceId)}`, ...kinds].join(' AND ')
    return `SELECT coalesce(sum(n), 0) AS count, 1 AS exact FROM context_counts WHERE ${where}`
  })
}

/**
 * Counts the contexts that match a filter for which no counts are maintained, through the most selective index. One row
 * more than the limit is read, to find out whether the count is exact.
 */
function countingStatement(scope: Scope, filter: ContextFilter): Statement {
  const { index, fixed, rest } = indexToCount(filter)
  return statementOf(
    scope,
    (bind) => `SELECT min(count(*) FILTER (WHERE ${all(rest)(bind)}), ${MOST_LOOKED_AT}) AS count,
        count(*) <= ${MOST_LOOKED_AT} AS exact
      FROM (
        SELECT contexts.row FROM contexts INDEXED BY ${index} WHERE contexts.tenant = ?1 AND ${all(fixed)(bind)}
        LIMIT ${MOST_LOOKED_AT + 1}
      ) AS looked ${rest.length === 0 ? '' : 'CROSS JOIN contexts ON contexts.row = looked.row'}`,
  )
}
