import type { Input, Output } from '../api/operations.ts'
import { commit, committedOrBusy, look } from '../commit.ts'
import { type AutoComplete, type ContextStatus, MAX_DEPTH } from '../context.ts'
import { noneBeingErased, refuseWhileErased } from '../people/tombstones.ts'
import type { Scope } from '../scope.ts'
import { changing } from './change-context.ts'
import { requireContext } from './read-context.ts'

/** A context above another, as far as its completion is concerned. */
export interface ParentState {
  readonly id: string
  readonly status: ContextStatus
  readonly autoComplete: AutoComplete
  readonly children: number
  /** Whether a child keeps it open, but for the one that would be completed just before it. */
  readonly open: boolean
}

interface Completions {
  /** Upwards. */
  readonly completed: readonly string[]
  /** Where it stops, and why; null when the root is reached. */
  readonly skipped: { readonly id: string; readonly reason: Reason } | null
}

type Reason = 'never' | 'not-active' | 'children-open' | 'no-children'

/** Which of the contexts above are to be completed, one after the other, and where that ends (B2-5). */
export function parentsToComplete(upwards: readonly ParentState[]): Completions {
  const completed: string[] = []
  for (const parent of upwards) {
    const reason = whyNot(parent)
    if (reason) return { completed, skipped: { id: parent.id, reason } }
    completed.push(parent.id)
  }
  return { completed, skipped: null }
}

function whyNot({ status, autoComplete, children, open }: ParentState): Reason | null {
  if (autoComplete === 'never') return 'never'
  if (status !== 'active') return 'not-active'
  if (children === 0) return 'no-children'
  return open ? 'children-open' : null
}

/**
 * Completes the parent of a context if it is to be completed with its children, and then that one's, as far as it goes
 * (S2-8, B2-5). All that it comes to is one transaction. A second time it changes nothing.
 *
 * @throws CONTEXT_NOT_FOUND, ERASURE_RUNNING, BUSY
 */
export function completeParents(scope: Scope, input: Input<'completeParents'>): Promise<Output<'completeParents'>> {
  return committedOrBusy(async () => {
    const { seen, unchanged } = await look<Parent>(scope, UPWARDS, input.context)
    if (seen.length === 0) await requireContext(scope, input.context)
    const outcome = parentsToComplete(seen)
    if (outcome.completed.length === 0) return outcome
    const completed = seen.filter(({ id }) => outcome.completed.includes(id))
    const people = [input.by, ...completed.map(({ userId }) => userId)]
    const changes = outcome.completed.map((id) => ({ id, status: 'completed' }))
    const done = await commit(scope, {
      guards: [...(await noneBeingErased(scope, people)), unchanged],
      writes: changing(scope, changes, input.by ?? scope.by),
    })
    if (done.ok) return outcome
    await refuseWhileErased(scope, people)
    return null
  })
}

interface Parent extends ParentState {
  readonly version: number
  readonly userId: string | null
}

/**
 * The contexts above one, upwards. Whether a child keeps one of them open is asked of an index that leaps to those of a
 * status. `via` is the child that the way up comes from: above the first parent it is one that would be completed itself.
 */
const UPWARDS = `WITH RECURSIVE up (id, via, level) AS (
    SELECT parent_id, id, 1 FROM contexts WHERE tenant = ?1 AND id = ?2 AND parent_id IS NOT NULL
    UNION ALL
    SELECT contexts.parent_id, contexts.id, up.level + 1 FROM up
      CROSS JOIN contexts ON contexts.tenant = ?1 AND contexts.id = up.id
      WHERE contexts.parent_id IS NOT NULL AND up.level < ${MAX_DEPTH}
  )
  SELECT json_object('id', parent.id, 'version', parent.version, 'status', parent.status,
    'autoComplete', parent.auto_complete, 'children', parent.child_count, 'userId', parent.user_id, 'open', json(CASE
      WHEN ${anyChild("IN ('active', 'blocked') AND (up.level = 1 OR child.id <> up.via)")}
        OR parent.auto_complete = 'all-completed' AND ${anyChild("= 'cancelled'")}
      THEN 'true' ELSE 'false' END)) AS seen
  FROM up CROSS JOIN contexts AS parent ON parent.tenant = ?1 AND parent.id = up.id
  ORDER BY up.level`

function anyChild(status: string): string {
  return `EXISTS (SELECT 1 FROM contexts AS child INDEXED BY contexts_by_parent_status
    WHERE child.tenant = ?1 AND child.parent_id = parent.id AND child.status ${status})`
}
