import type { Input, Output } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit, committedOrBusy } from '../commit.ts'
import type { ContextStatus } from '../context.ts'
import { rows, type Scope } from '../scope.ts'
import { type BulkPage, bulkPage, type Found } from './bulk-page.ts'
import { changeOf, changesNothing, type Updates } from './change-of.ts'
import { noneBeingErased, refuseWhileErased, whoIsBeingErased } from '../people/not-while-erased.ts'
import { jsonOf } from './read-context.ts'
import { type Change, changing } from './write-changes.ts'

/**
 * Changes every context that fits a filter, page by page, each page in one transaction and decided as it stood when the
 * page began. What may not change so is skipped.
 *
 * @throws EMPTY_UPDATES, INVALID_CURSOR, BUSY; ERASURE_RUNNING when who is named as their author is being erased
 */
export function updateContexts(scope: Scope, input: Input<'updateContexts'>): Promise<Output<'updateContexts'>> {
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

/** What the contexts of a page are at the versions it names; null when one of them is at another by now. */
async function statesOf(scope: Scope, found: readonly Found[]): Promise<readonly State[] | null> {
  const ids = JSON.stringify(found.map(({ id, version }) => ({ id, version })))
  const states = await rows<State>(scope, STATES, ids)
  return states.length === found.length ? states : null
}

const STATES = `SELECT contexts.id, contexts.version, contexts.status, contexts.purpose, contexts.description,
    contexts.data, contexts.user_id AS userId
  FROM json_each(?2) AS wanted CROSS JOIN contexts
    ON contexts.tenant = ?1 AND contexts.id = wanted.value ->> 'id' AND contexts.version = wanted.value ->> 'version'
  ORDER BY wanted.key`

interface Decided {
  readonly change?: Change
  readonly skipped?: { readonly id: string; readonly code: string }
}

function decide(state: State, updates: Updates, erased: boolean): Decided {
  const { id } = state
  const next = changeOf({ ...state, data: jsonOf(state.data) }, updates)
  if (next instanceof ChainError) return { skipped: { id, code: next.code } }
  if (erased) return { skipped: { id, code: 'ERASURE_RUNNING' } }
  return { change: { id, status: next.status, ...(updates.data && { data: JSON.stringify(next.data) }) } }
}

async function write(
  scope: Scope,
  { by }: Pick<Input<'updateContexts'>, 'by'>,
  { page, changes, kept }: { page: BulkPage; changes: readonly Change[]; kept: readonly State[] },
): Promise<boolean> {
  const unerased = await noneBeingErased(scope, [by, ...kept.map(({ userId }) => userId)])
  const done = await commit(scope, {
    guards: [...unerased, page.unchanged],
    writes: changing(scope, changes, by ?? scope.by),
  })
  return done.ok
}
