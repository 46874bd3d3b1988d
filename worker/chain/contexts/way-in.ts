import type { ContextFilter } from '../api/context-shapes.ts'
import { is, type Sql } from './sql.ts'

/** The index and the conditions with which SQLite selects the contexts that match a filter. */
export interface IndexChoice {
  /** An index of `contexts` that returns the rows that meet `fixed`, in the order (created_at, row). */
  readonly index: string
  /** The conditions that SQLite checks through the index. */
  readonly fixed: readonly Sql[]
  /** The other conditions. SQLite checks them on each row from the index. */
  readonly rest: readonly Sql[]
}

/** The indexes of `contexts`, most selective first: a conversation has few contexts, a depth has many. */
const INDEXES = [
  { index: 'contexts_by_conversation', of: ['conversationId'] },
  { index: 'contexts_by_parent_status', of: ['parentId', 'status'] },
  { index: 'contexts_by_parent', of: ['parentId'] },
  { index: 'contexts_by_user', of: ['userId'] },
  { index: 'contexts_by_root', of: ['rootId'] },
  { index: 'contexts_by_space_status', of: ['memorySpaceId', 'status'] },
  { index: 'contexts_by_space', of: ['memorySpaceId'] },
  { index: 'contexts_by_status', of: ['status'] },
  { index: 'contexts_by_depth', of: ['depth'] },
  { index: 'contexts_by_time', of: [] },
] as const satisfies readonly { index: string; of: readonly (keyof typeof COLUMNS)[] }[]

/** Indexes that may return most of the table. */
const UNTELLING: ReadonlySet<string> = new Set(['contexts_by_status', 'contexts_by_depth', 'contexts_by_time'])

const COLUMNS = {
  conversationId: 'conversation_id',
  parentId: 'parent_id',
  userId: 'user_id',
  rootId: 'root_id',
  memorySpaceId: 'space',
  status: 'status',
  depth: 'depth',
} as const

type ColumnFilter = keyof typeof COLUMNS

/**
 * Chooses the most selective index whose fields the filter contains. A filter's creation times do not matter for the
 * choice, because every index ends with the creation time.
 */
export function indexFor(asked: ContextFilter): IndexChoice {
  const filter = { ...asked, status: asked.status ?? impliedStatus(asked) }
  const given = (Object.keys(COLUMNS) as ColumnFilter[]).flatMap((field) => {
    const value = filter[field]
    return value === undefined ? [] : [{ field, condition: is(COLUMNS[field], value) }]
  })
  if (filter.ancestorId !== undefined && filter.rootId === undefined)
    given.push({ field: 'rootId', condition: sameRoot(filter.ancestorId) })
  const has = (field: ColumnFilter) => given.some((each) => each.field === field)
  const { index, of } = INDEXES.find((each) => each.of.every(has)) ?? { index: 'contexts_by_time', of: [] }
  const isFixed = (field: ColumnFilter) => (of as readonly ColumnFilter[]).includes(field)
  return {
    index,
    fixed: given.filter(({ field }) => isFixed(field)).map(({ condition }) => condition),
    rest: [...given.filter(({ field }) => !isFixed(field)).map(({ condition }) => condition), ...derived(filter)],
  }
}

function sameRoot(id: string): Sql {
  return (bind) =>
    `contexts.root_id = (SELECT above.root_id FROM contexts AS above WHERE above.tenant = ?1 AND above.id = ${bind(id)})`
}

/**
 * Returns the condition that a context is an ancestor of a row. UNION drops repeated ids, so that the recursion also
 * ends if the parents form a cycle.
 */
function under(id: string): Sql {
  return (bind) => {
    const self = bind(id)
    return `contexts.id <> ${self} AND EXISTS (WITH RECURSIVE up (id) AS (
      SELECT contexts.parent_id
      UNION SELECT above.parent_id FROM up CROSS JOIN contexts AS above ON above.tenant = ?1 AND above.id = up.id
      WHERE up.id <> ${self}
    ) SELECT 1 FROM up WHERE up.id = ${self})`
  }
}

/**
 * Chooses the index for a count, which needs no order. The index of completion times is chosen if the filter has no
 * more selective field, and the span of the filter's completion times is not longer than that of its creation times.
 */
export function indexToCount(filter: ContextFilter): IndexChoice {
  const { index, fixed, rest } = indexFor(filter)
  const created = createdWithin(filter)
  const { completedAfter, completedBefore, ...others } = filter
  const completed = completedWithin(filter)
  const isTold = span(completedAfter, completedBefore) <= span(filter.createdAfter, filter.createdBefore)
  if (completed.length === 0 || !UNTELLING.has(index) || !isTold) return { index, fixed: [...fixed, ...created], rest }
  const other = indexFor(others)
  return { index: 'contexts_by_completion', fixed: completed, rest: [...other.fixed, ...created, ...other.rest] }
}

function span(after: number | undefined, before: number | undefined): number {
  return after === undefined || before === undefined ? Infinity : before - after
}

/**
 * Returns the status that a filter by completion time implies: only completed contexts have a completion time, and they
 * stay completed.
 */
function impliedStatus({ completedAfter, completedBefore }: ContextFilter): 'completed' | undefined {
  return completedAfter === undefined && completedBefore === undefined ? undefined : 'completed'
}

/** Returns the conditions that a context was created after and before the filter's times, both exclusive. */
export function createdWithin({ createdAfter, createdBefore }: ContextFilter): readonly Sql[] {
  return [
    ...(createdAfter === undefined ? [] : ([(bind) => `contexts.created_at > ${bind(createdAfter)}`] satisfies Sql[])),
    ...(createdBefore === undefined
      ? []
      : ([(bind) => `contexts.created_at < ${bind(createdBefore)}`] satisfies Sql[])),
  ]
}

function derived({ leaf, ancestorId, ...times }: ContextFilter): readonly Sql[] {
  return [
    ...(ancestorId === undefined ? [] : [under(ancestorId)]),
    ...(leaf === undefined ? [] : [() => (leaf ? 'contexts.child_count = 0' : 'contexts.child_count > 0')]),
    ...completedWithin(times),
  ]
}

function completedWithin({ completedAfter, completedBefore }: ContextFilter): readonly Sql[] {
  return [
    ...(completedAfter === undefined
      ? []
      : ([(bind) => `contexts.completed_at > ${bind(completedAfter)}`] satisfies Sql[])),
    ...(completedBefore === undefined
      ? []
      : ([(bind) => `contexts.completed_at < ${bind(completedBefore)}`] satisfies Sql[])),
  ]
}
