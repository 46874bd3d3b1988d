import type { OperationOutput } from '../../../worker/chain/api/operations.ts'

/** A context with everything it has been, as the list with history gives it. */
export type Known = OperationOutput<'listContexts'>['items'][number]

/** What a context was, from one change to the next. */
export type State = OperationOutput<'listVersions'>['items'][number]
export type Status = State['status']
export type ContextData = State['data']

/** What does not fit together, as the service found it. */
export type ChainFinding = OperationOutput<'verifyIntegrity'>['items'][number]

/** Everything a context has been, oldest first, up to what it is now. */
export function statesOf(context: Known): readonly State[] {
  const { version, status, purpose, description, data, updatedAt, updatedBy } = context
  const latest: State = { version, status, purpose, description, data, timestamp: updatedAt, updatedBy }
  const earlier = (context.previousVersions ?? []).filter((state) => state.version < version)
  return [...earlier.toSorted((a, b) => a.version - b.version), latest]
}

/**
 * What a context was at a time; null before it was. At the very time of a change it is what it was changed to, and of
 * two changes in one millisecond the later counts, as at the service.
 *
 * @param time milliseconds since 1970; null is now
 */
export function contextStateAt(context: Known, time: number | null): State | null {
  if (time === null) return statesOf(context).at(-1) ?? null
  if (time < context.createdAt) return null
  return statesOf(context).findLast(({ timestamp }) => timestamp <= time) ?? null
}

/** One step in the life of a context: what it was, and what it became. */
export interface VersionChange {
  readonly id: string
  /** Null where it began. */
  readonly before: State | null
  readonly after: State
}

/** A time at which something changed anywhere in a workflow, and what. */
export interface ChangeMoment {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly changes: readonly VersionChange[]
}

/** Every moment of a workflow, oldest first, each time once. */
export function momentsOf(contexts: readonly Known[]): readonly ChangeMoment[] {
  const byTime = new Map<number, VersionChange[]>()
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
export function momentAt(moments: readonly ChangeMoment[], time: number | null): number {
  return time === null ? moments.length - 1 : moments.findLastIndex((moment) => moment.time <= time)
}
