import { statesOf } from './history.ts'
import type { Known, State } from './known.ts'

/** One step in the life of a context: what it was, and what it became. */
export interface Change {
  readonly id: string
  /** Null where it began. */
  readonly before: State | null
  readonly after: State
}

/** A time at which something changed anywhere in a workflow, and what. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly changes: readonly Change[]
}

/** Every moment of a workflow, oldest first, each time once. */
export function momentsOf(contexts: readonly Known[]): readonly Moment[] {
  const byTime = new Map<number, Change[]>()
  for (const context of contexts) {
    let before: State | null = null
    for (const after of statesOf(context)) {
      const changes = byTime.get(after.timestamp) ?? []
      changes.push({ id: context.id, before, after })
      byTime.set(after.timestamp, changes)
      before = after
    }
  }
  return [...byTime].map(([time, changes]) => ({ time, changes })).toSorted((a, b) => a.time - b.time)
}

/** Which moment is in force at a time: the last one that is not after it; -1 before the first. */
export function momentAt(moments: readonly Moment[], time: number | null): number {
  return time === null ? moments.length - 1 : moments.findLastIndex((moment) => moment.time <= time)
}
