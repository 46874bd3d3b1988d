import type { BulkFilter, ContextFilter } from '../../../worker/chain/api/context-shapes.ts'
import { ChainError, type ChainErrorCode } from '../../../worker/chain/chain-error.ts'
import type { Context, ContextVersion, FreeData } from '../../../worker/chain/context.ts'

/**
 * What the chain has to be, in the plainest way: a list of contexts that know their parents, and every version of each.
 * Roots and depths are walked, children are looked for, nothing is kept twice. It is written from the
 * rules, and from nothing that it is held against.
 */
export interface Model {
  /** In the order in which they came into being. */
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
  /** The last is what it is now. */
  versions: readonly [...ContextVersion[], ContextVersion]
  /** The step that it waits for. */
  after: string | null
}

const SAME = ['memorySpaceId', 'userId', 'status', 'parentId', 'rootId', 'depth'] as const
const DANGEROUS = ['__proto__', 'constructor', 'prototype']

/** A context as it is answered. */
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

/** The data that a context sees: its own over its parent's, and so on, and by key the context that a value is from. */
export function inherited(model: Model, entry: Entry): { data: FreeData; from: Readonly<Record<string, string>> } {
  const chain = [...ancestors(model, entry), entry]
  const pairs = chain.flatMap((each) => Object.entries(latest(each).data).map(([key, value]) => ({ key, value, each })))
  const safe = pairs.filter(({ key }) => !DANGEROUS.includes(key))
  return {
    data: Object.fromEntries(safe.map(({ key, value }) => [key, value])),
    from: Object.fromEntries(safe.map(({ key, each }) => [key, each.id])),
  }
}

/** From the root down to the parent. */
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

/** By the time of creation, and then in the order in which they were made. */
export function oldestFirst(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => one.createdAt - other.createdAt)
}

/** Whether a context is one that was asked for. Times bound it on both sides, neither of them included. */
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
