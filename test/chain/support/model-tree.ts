import type { BulkFilter, ContextFilter } from '../../../worker/chain/api/context-shapes.ts'
import { ChainError, type ChainErrorCode } from '../../../worker/chain/chain-error.ts'
import type { Context, ContextVersion, FreeData } from '../../../worker/chain/context.ts'

/**
 * The simplest possible model of the chain: a list of contexts with their parents and all their versions. It derives
 * roots, depths and children each time and stores nothing twice. It is written from the rules and shares no code with
 * the chain.
 */
export interface Model {
  /** The contexts, in the order of their creation. */
  readonly entries: Entry[]
}

export interface Entry {
  readonly id: string
  parentId: string | null
  readonly space: string
  readonly userId: string | null
  participants: readonly string[]
  readonly conversationRef: Context['conversationRef']
  readonly autoComplete: Context['autoComplete']
  readonly createdAt: number
  completedAt: number | null
  /** The versions, oldest first; the last one is the current state. */
  versions: readonly [...ContextVersion[], ContextVersion]
  /** The id of the step of a pattern that the context waits for. */
  after: string | null
}

const SAME = ['memorySpaceId', 'userId', 'status', 'parentId', 'rootId', 'depth'] as const
const DANGEROUS = ['__proto__', 'constructor', 'prototype']

/** Returns a context as the API returns it. */
export function view(model: Model, entry: Entry): Context {
  const { timestamp, ...now } = latest(entry)
  const above = ancestors(model, entry)
  const childIds = children(model, entry).map((child) => child.id)
  return {
    id: entry.id,
    parentId: entry.parentId,
    rootId: above[0]?.id ?? entry.id,
    depth: above.length,
    memorySpaceId: entry.space,
    userId: entry.userId,
    childIds,
    childCount: childIds.length,
    participants: entry.participants,
    conversationRef: entry.conversationRef,
    autoComplete: entry.autoComplete,
    createdAt: entry.createdAt,
    updatedAt: timestamp,
    completedAt: entry.completedAt,
    ...now,
  }
}

/**
 * Returns the data that a context inherits, and for each key the id of the context that has the value. A context's own
 * values replace those of its ancestors.
 */
export function inherited(model: Model, entry: Entry): { data: FreeData; from: Readonly<Record<string, string>> } {
  const chain = [...ancestors(model, entry), entry]
  const pairs = chain.flatMap((each) => Object.entries(latest(each).data).map(([key, value]) => ({ key, value, each })))
  const safe = pairs.filter(({ key }) => !DANGEROUS.includes(key))
  return {
    data: Object.fromEntries(safe.map(({ key, value }) => [key, value])),
    from: Object.fromEntries(safe.map(({ key, each }) => [key, each.id])),
  }
}

/** Returns the ancestors from the root down to the parent. */
export function ancestors(model: Model, entry: Entry): Entry[] {
  const parent = entry.parentId === null ? undefined : find(model, entry.parentId)
  return parent ? [...ancestors(model, parent), parent] : []
}

export function children(model: Model, entry: Entry): Entry[] {
  return oldestFirst(model.entries.filter(({ parentId }) => parentId === entry.id))
}

export function descendants(model: Model, entry: Entry): Entry[] {
  return oldestFirst(model.entries.filter((each) => ancestors(model, each).includes(entry)))
}

/** Sorts by the time of creation; equal times keep the order of creation. */
export function oldestFirst(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => one.createdAt - other.createdAt)
}

/** Returns whether a context matches a filter. Both bounds of a time range are exclusive. */
export function fits(model: Model, filter: Partial<ContextFilter> & BulkFilter): (entry: Entry) => boolean {
  return (entry) => {
    const now = view(model, entry)
    return (
      SAME.every((key) => filter[key] === undefined || filter[key] === now[key]) &&
      (filter.conversationId === undefined || filter.conversationId === now.conversationRef?.conversationId) &&
      (filter.ancestorId === undefined || ancestors(model, entry).some(({ id }) => id === filter.ancestorId)) &&
      (filter.leaf === undefined || filter.leaf === (now.childCount === 0)) &&
      within(now.createdAt, filter.createdAfter, filter.createdBefore) &&
      within(now.completedAt, filter.completedAfter, filter.completedBefore)
    )
  }
}

function within(time: number | null, after: number | undefined, before: number | undefined): boolean {
  if (after === undefined && before === undefined) return true
  return time !== null && (after === undefined || time > after) && (before === undefined || time < before)
}

export function latest(entry: Entry): ContextVersion {
  return entry.versions.at(-1)!
}

export function find(model: Model, id: string): Entry | undefined {
  return model.entries.find((entry) => entry.id === id)
}

export function known(model: Model, id: string): Entry {
  return find(model, id) ?? refuse('CONTEXT_NOT_FOUND')
}

export function refuse(code: ChainErrorCode): never {
  throw new ChainError(code, code)
}
