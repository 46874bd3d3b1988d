import type { Input, Output } from '../api/operations.ts'
import { rowsTogether, type Scope } from '../scope.ts'
import { is, type Sql, statementOf } from './sql.ts'
import { placeOf } from './cursor.ts'
import { beyond, lookBy } from './list-contexts.ts'
import { type Cut, type List, nextOf, pageSql } from './read-page.ts'
import { requireContext } from './read-context.ts'
import { versionOf } from './versions.ts'

/**
 * A page of the contexts of a workflow that were there at a time, as they were then, oldest first. Of where they stand only
 * today's is known: participants, parents and what has been deleted have no versions.
 *
 * @throws ChainError CONTEXT_NOT_FOUND, INVALID_CURSOR
 */
export async function getChainAt(
  scope: Scope,
  { context, time, limit, cursor }: Input<'getChainAt'>,
): Promise<Output<'getChainAt'>> {
  const self = { list: 'chain-at', of: { context, time } }
  const after = placeOf(scope, self, [0, 0], cursor)
  const { root_id: root } = await requireContext(scope, context)
  const wasThere: Sql = (bind) => `contexts.created_at <= ${bind(time)}`
  const look = lookBy('contexts_by_root', [is('root_id', root), wasThere, ...beyond(after)])
  const list: List = { is: self, key: ['created_at', 'row'], look, rest: [], limit }
  const page = statementOf(scope, (bind) => {
    const at = bind(time)
    return pageSql(list, weightAt(at), statesAt(at))(bind)
  })
  const [found = []] = (await rowsTogether(scope, [page])) as unknown as readonly (readonly (Placed & Cut)[])[]
  return { items: found.map(itemOf), next: nextOf(scope, list, found, []) }
}

interface Placed {
  readonly id: string
  readonly parent_id: string | null
  readonly space: string
  readonly state: string
}

/** Where a context stands, and its state at a time as JSON: the latest if it was made by then, else the last that was. */
function statesAt(time: string): string {
  const latest = `json_object('version', contexts.version, 'status', contexts.status, 'purpose', contexts.purpose,
    'description', contexts.description, 'data', contexts.data, 'at', contexts.updated_at, 'made_by', contexts.updated_by)`
  const earlier = earlierAt(
    time,
    `json_object('version', version, 'status', status, 'purpose', purpose, 'description', description, 'data', data,
      'at', at, 'made_by', made_by)`,
  )
  return `contexts.row, contexts.created_at, contexts.depth, contexts.id, contexts.parent_id, contexts.space,
    CASE WHEN contexts.updated_at <= ${time} THEN ${latest} ELSE (${earlier}) END AS state`
}

/** What an earlier state weighs, which may be much more than the latest does. */
function weightAt(time: string): string {
  const size = earlierAt(time, 'octet_length(data) + octet_length(purpose) + coalesce(octet_length(description), 0)')
  return `CASE WHEN contexts.updated_at <= ${time} THEN 0 ELSE (${size}) END`
}

/** Of the last version that had been made by then, and is not the latest. */
function earlierAt(time: string, what: string): string {
  return `SELECT ${what} FROM context_versions INDEXED BY context_versions_by_time
    WHERE tenant = ?1 AND context_id = contexts.id AND at <= ${time} ORDER BY at DESC, version DESC LIMIT 1`
}

function itemOf({ id, parent_id, depth, space, created_at, state }: Placed & Cut) {
  return {
    id,
    parentId: parent_id,
    depth,
    memorySpaceId: space,
    createdAt: created_at,
    state: versionOf(JSON.parse(state)),
  }
}
