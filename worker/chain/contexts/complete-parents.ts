import { look } from '../commit.ts'
import type { AutoComplete, ContextStatus } from '../context.ts'
import type { Scope, Statement } from '../scope.ts'
import { isTerminal } from './change-context.ts'

/** A context that a change completes or cancels. */
export interface EndedContext {
  readonly id: string
  readonly status: ContextStatus
}

export interface Completions {
  /** The ids of the contexts that the change also completes, the deepest context first. */
  readonly completed: readonly string[]
  readonly people: readonly (string | null)[]
  /** Guards that hold while the contexts on which these completions depend do not change. */
  readonly guards: readonly Statement[]
}

const NOTHING: Completions = { completed: [], people: [], guards: [] }

/**
 * Finds the contexts that become completed because a change ends contexts below them. A context becomes completed if it
 * is active, has `autoComplete`, and the change leaves none of its children open.
 *
 * @param changed contexts with their new status; a status that is not final completes nothing
 */
export async function completionsWith(scope: Scope, changed: readonly EndedContext[]): Promise<Completions> {
  const ended = changed.filter(({ status }) => isTerminal(status))
  if (ended.length === 0) return NOTHING
  const { seen, unchanged } = await look<NearbyContext>(scope, NEARBY, JSON.stringify(ended.map(({ id }) => id)))
  const completed = completedBy(ended, seen)
  const people = seen.filter(({ id }) => completed.includes(id)).map(({ userId }) => userId)
  return { completed, people, guards: [unchanged] }
}

/** A context that the change ends, or an ancestor of such a context. */
export interface NearbyContext {
  readonly id: string
  readonly parentId: string | null
  readonly rootId: string
  readonly userId: string | null
  readonly status: ContextStatus
  readonly autoComplete: AutoComplete
  /** True for an approval that waits for its parent. */
  readonly isNested: boolean
  /** True if the context stays open because of a child that is not among the contexts read. */
  readonly isHeldOpen: boolean
}

/**
 * Decides which contexts become completed, without reading or writing the database.
 *
 * @param nearby deepest first, so that a child is decided before its parent
 */
function completedBy(ended: readonly EndedContext[], nearby: readonly NearbyContext[]): readonly string[] {
  const statuses = new Map([...nearby, ...ended].map(({ id, status }) => [id, status]))
  const endedIds = new Set(ended.map(({ id }) => id))
  const completed: string[] = []
  for (const parent of nearby) {
    if (endedIds.has(parent.id) || parent.status !== 'active' || parent.autoComplete === 'never') continue
    const parts = nearby.filter((each) => isPartOf(each, parent))
    const isDone = parts.every(({ id }) => isEnough(parent.autoComplete, statuses.get(id)))
    if (parent.isHeldOpen || !isDone) continue
    statuses.set(parent.id, 'completed')
    completed.push(parent.id)
  }
  return completed
}

/**
 * Returns true if a parent can be completed only after this context: if the context is its child or, when the parent is
 * a root, an approval nested deeper under that root. A root must wait for nested approvals too, because the first
 * approval is completed while the nested approvals are still open.
 */
function isPartOf({ parentId, rootId, isNested }: NearbyContext, parent: NearbyContext): boolean {
  return parentId === parent.id || (parent.parentId === null && isNested && rootId === parent.id)
}

function isEnough(autoComplete: AutoComplete, status: ContextStatus | undefined): boolean {
  return status === 'completed' || (status === 'cancelled' && autoComplete === 'all-settled')
}

/**
 * Selects the contexts whose ids are in a JSON list (`?2`), and all their ancestors. Open children are looked up
 * through an index by status, so the cost does not grow with the number of children.
 */
const NEARBY = `WITH RECURSIVE ended (id) AS (SELECT value FROM json_each(?2)),
  up (id) AS (
    SELECT below.parent_id FROM ended CROSS JOIN contexts AS below ON below.tenant = ?1 AND below.id = ended.id
      WHERE below.parent_id IS NOT NULL
    UNION
    SELECT below.parent_id FROM up CROSS JOIN contexts AS below ON below.tenant = ?1 AND below.id = up.id
      WHERE below.parent_id IS NOT NULL
  ),
  near (id) AS (SELECT id FROM ended UNION SELECT id FROM up)
  SELECT json_object('id', one.id, 'parentId', one.parent_id, 'rootId', one.root_id, 'userId', one.user_id,
    'status', one.status, 'autoComplete', one.auto_complete,
    'isNested', json(CASE WHEN one.waits_for = one.parent_id THEN 'true' ELSE 'false' END),
    'isHeldOpen', json(CASE WHEN one.auto_complete <> 'never' AND one.status = 'active' AND (${held('contexts_by_parent_status', 'part.parent_id = one.id')}
      OR one.parent_id IS NULL AND (${held('contexts_by_nested_wait', 'part.root_id = one.id AND part.waits_for = part.parent_id')}))
      THEN 'true' ELSE 'false' END)) AS seen
  FROM near CROSS JOIN contexts AS one ON one.tenant = ?1 AND one.id = near.id ORDER BY one.depth DESC, one.row`

function held(index: string, isPart: string): string {
  const other = (status: string) => `EXISTS (SELECT 1 FROM contexts AS part INDEXED BY ${index}
    WHERE part.tenant = ?1 AND ${isPart} AND part.status ${status} AND part.id NOT IN (SELECT id FROM near))`
  return `${other("IN ('active', 'blocked')")} OR one.auto_complete = 'all-completed' AND ${other("= 'cancelled'")}`
}
