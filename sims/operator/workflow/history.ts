import type { OperationOutput } from '../../../worker/chain/api/operations.ts'

/** A context with its history, as `listContexts` gives it. */
export type Known = OperationOutput<'listContexts'>['items'][number]

/** The state of a context between two changes. */
export type State = OperationOutput<'listVersions'>['items'][number]
export type Status = State['status']
export type ContextData = State['data']

/** A fault in the chain that the service's integrity check found. */
export type ChainFinding = OperationOutput<'verifyIntegrity'>['items'][number]

/** Every state of a context, oldest first, with the present one last. */
export function statesOf(context: Known): readonly State[] {
  const { version, status, purpose, description, data, updatedAt, updatedBy } = context
  const latest: State = { version, status, purpose, description, data, timestamp: updatedAt, updatedBy }
  const earlier = (context.previousVersions ?? []).filter((state) => state.version < version)
  return [...earlier.toSorted((a, b) => a.version - b.version), latest]
}

/**
 * The state of a context at a time; null before it began. At the time of a change it is the new state. If two changes share a
 * millisecond, the later counts, as in the service.
 *
 * @param time milliseconds since 1970; null is now
 */
export function contextStateAt(context: Known, time: number | null): State | null {
  if (time === null) return statesOf(context).at(-1) ?? null
  if (time < context.createdAt) return null
  return statesOf(context).findLast(({ timestamp }) => timestamp <= time) ?? null
}

/** One change of a context: the state before and the state after. */
export interface VersionChange {
  readonly id: string
  /** Null if the context began. */
  readonly before: State | null
  readonly after: State
}

/** A time at which something in a workflow changed, with the changes. */
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

/** The index of the last moment that is not after a time; -1 before the first. */
export function momentAt(moments: readonly ChangeMoment[], time: number | null): number {
  return time === null ? moments.length - 1 : moments.findLastIndex((moment) => moment.time <= time)
}
