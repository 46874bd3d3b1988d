import type { BulkFilter } from '../api/context-shapes.ts'
import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit, committedOrBusy, type GuardedRead, look } from '../commit.ts'
import type { ContextStatus } from '../context.ts'
import { noneBeingErased, refuseWhileErased, whoIsBeingErased } from '../people/tombstones.ts'
import { rows, type Scope, type Statement } from '../scope.ts'
import { completionsWith } from './complete-parents.ts'
import { type ContextChange, changeOf, changesNothing, changing, type Updates } from './change-context.ts'
import { type RemovedContexts, removedBy, removing } from './delete-context.ts'
import { filteredList } from './list-contexts.ts'
import { jsonOf } from './read-context.ts'
import { type PageCut, type List, MOST_LOOKED_AT, nextOf, pageSql } from './read-page.ts'
import { statementOf } from './sql.ts'

/** A context on a page of a bulk operation. */
export interface BulkContext extends PageCut {
  readonly id: string
  readonly version: number
  readonly status: ContextStatus
  readonly userId: string | null
  readonly children: number
}

export interface BulkPage {
  readonly found: readonly BulkContext[]
  /** A guard that holds while the page's contexts are as they were read. */
  readonly unchanged: Statement
  readonly next: string | null
}

/**
 * Returns a page of the contexts that match a filter, oldest first, from a cursor on.
 *
 * @throws INVALID_CURSOR
 */
async function bulkPage(
  scope: Scope,
  list: 'bulk-update' | 'bulk-delete',
  {
    filter,
    limit,
    cursor,
  }: { readonly filter: BulkFilter; readonly limit: number; readonly cursor?: string | undefined },
): Promise<BulkPage> {
  const asked = filteredList(scope, filter, { list, limit, cursor, pointer: '/body/cursor' })
  const { seen, unchanged } = await lookAt(scope, asked)
  const [{ found, boundary } = { found: [], boundary: [] }] = seen
  return { found, unchanged, next: nextOf(scope, asked, found, boundary) }
}

function lookAt(
  scope: Scope,
  list: List,
): Promise<GuardedRead<{ found: readonly BulkContext[]; boundary: readonly object[] }>> {
  const { sql, values } = statementOf(
    scope,
    (bind) => `SELECT json_object(
      'found', (SELECT json_group_array(json_object('row', row, 'created_at', created_at, 'depth', depth, 'more', more,
        'id', id, 'version', version, 'status', status, 'userId', user_id, 'children', child_count))
        FROM (${pageSql(list, { columns: () => COLUMNS })(bind)})),
      'boundary', (SELECT json_group_array(json_object('created_at', created_at, 'row', row))
        FROM (${list.look(bind)} LIMIT ${list.rest.length === 0 ? 0 : 2} OFFSET ${MOST_LOOKED_AT - 1}))
    ) AS seen`,
  )
  return look(scope, sql, ...values.slice(1))
}

const COLUMNS = `contexts.row, contexts.created_at, contexts.depth, contexts.id, contexts.version, contexts.status,
  contexts.user_id, contexts.child_count`

/**
 * Changes the contexts that match a filter. Each request changes one page of them, in one transaction. Whether a change
 * is allowed depends on the context's state before the transaction. A context whose change is not allowed is skipped.
 *
 * @throws EMPTY_UPDATES, INVALID_CURSOR, BUSY; ERASURE_RUNNING if the author (`by`), or a person whom an automatically
 *   completed parent is about, is being erased
 */
export function updateContexts(
  scope: Scope,
  input: OperationInput<'updateContexts'>,
): Promise<OperationOutput<'updateContexts'>> {
  return committedOrBusy(async () => {
    if (changesNothing(input.updates))
      throw new ChainError('EMPTY_UPDATES', 'there is nothing to change', '/body/updates')
    await refuseWhileErased(scope, [input.by])
    const page = await bulkPage(scope, 'bulk-update', input)
    const states = await statesOf(scope, page.found)
    if (!states) return null
    const erased = await whoIsBeingErased(
      scope,
      states.map(({ userId }) => userId),
    )
    const decided = states.map((state) => decide(state, input.updates, erased.has(state.userId)))
    const changes = decided.flatMap(({ change }) => change ?? [])
    const kept = states.filter(({ id }) => changes.some((change) => change.id === id))
    if (changes.length > 0 && !(await write(scope, input, { page, changes, kept }))) return null
    return {
      updated: changes.length,
      ids: changes.map(({ id }) => id),
      skipped: decided.flatMap(({ skipped }) => skipped ?? []),
      next: page.next,
    }
  })
}

interface State {
  readonly id: string
  readonly version: number
  readonly status: ContextStatus
  readonly purpose: string
  readonly description: string | null
  readonly data: string
  readonly userId: string | null
}

/** Returns the states of a page's contexts; null if the version of a context has changed since the page was read. */
async function statesOf(scope: Scope, found: readonly BulkContext[]): Promise<readonly State[] | null> {
  const ids = JSON.stringify(found.map(({ id, version }) => ({ id, version })))
  const states = await rows<State>(scope, STATES, ids)
  return states.length === found.length ? states : null
}

const STATES = `SELECT contexts.id, contexts.version, contexts.status, contexts.purpose, contexts.description,
    contexts.data, contexts.user_id AS userId
  FROM json_each(?2) AS wanted CROSS JOIN contexts
    ON contexts.tenant = ?1 AND contexts.id = wanted.value ->> 'id' AND contexts.version = wanted.value ->> 'version'
  ORDER BY wanted.key`

interface ChangeOrSkip {
  readonly change?: ContextChange
  readonly skipped?: { readonly id: string; readonly code: string }
}

function decide(state: State, updates: Updates, erased: boolean): ChangeOrSkip {
  const { id } = state
  const next = changeOf({ ...state, data: jsonOf(state.data) }, updates)
  if (next instanceof ChainError) return { skipped: { id, code: next.code } }
  if (erased) return { skipped: { id, code: 'ERASURE_RUNNING' } }
  return { change: { id, status: next.status, ...(updates.data && { data: JSON.stringify(next.data) }) } }
}

async function write(
  scope: Scope,
  { by, updates }: Pick<OperationInput<'updateContexts'>, 'by' | 'updates'>,
  { page, changes, kept }: { page: BulkPage; changes: readonly ContextChange[]; kept: readonly State[] },
): Promise<boolean> {
  const { status } = updates
  const above = await completionsWith(scope, status === undefined ? [] : changes.map(({ id }) => ({ id, status })))
  await refuseWhileErased(scope, above.people)
  const unerased = await noneBeingErased(scope, [by, ...kept.map(({ userId }) => userId), ...above.people])
  const completions = above.completed.map((id) => ({ id, status: 'completed' }))
  const done = await commit(scope, {
    guards: [...unerased, page.unchanged, ...above.guards],
    writes: changing(scope, [...changes, ...completions], by ?? scope.by),
  })
  return done.ok
}

const NOTHING: RemovedContexts = { ids: [], reparented: 0, promoted: 0 }

/**
 * Deletes the contexts that match a filter. Each request deletes one page of them together, in one transaction, so that
 * the order of deletions does not matter. The mode `leaf` skips contexts with children.
 *
 * @throws INVALID_CURSOR, BUSY
 */
export function deleteContexts(
  scope: Scope,
  input: OperationInput<'deleteContexts'>,
): Promise<OperationOutput<'deleteContexts'>> {
  return committedOrBusy(async () => {
    const page = await bulkPage(scope, 'bulk-delete', input)
    const kept = input.mode === 'leaf' ? page.found.filter(({ children }) => children > 0) : []
    const going = page.found.filter((each) => !kept.includes(each)).map(({ id }) => id)
    const mode = input.mode === 'leaf' ? 'cascade' : input.mode
    const writes = going.length > 0 ? removing(scope, going, mode) : []
    const done = await commit(scope, { guards: [page.unchanged], writes })
    if (!done.ok) return null
    const removed = going.length > 0 ? removedBy(done.wrote) : NOTHING
    const skipped = kept.map(({ id }) => ({ id, code: 'HAS_CHILDREN' }))
    return { ...removed, deleted: removed.ids.length, skipped, next: page.next }
  })
}
