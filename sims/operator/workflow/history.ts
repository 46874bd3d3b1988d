import type { OperationOutput } from '../../../worker/chain/api/operations.ts'

/** A context with its history, as `listContexts` returns it. */
export type Known = OperationOutput<'listContexts'>['items'][number]

/** A version of a context: its state from one change to the next. */
export type State = OperationOutput<'listVersions'>['items'][number]
export type Status = State['status']
export type ContextData = State['data']

/** A fault in the chain that the service's integrity check found. */
export type ChainFinding = OperationOutput<'verifyIntegrity'>['items'][number]

/** Returns every state of a context, oldest first. The last state is the current state. */
export function statesOf(context: Known): readonly State[] {
  const { version, status, purpose, description, data, updatedAt, updatedBy } = context
  const latest: State = { version, status, purpose, description, data, timestamp: updatedAt, updatedBy }
  const earlier = (context.previousVersions ?? []).filter((state) => state.version < version)
  return [...earlier.toSorted((a, b) => a.version - b.version), latest]
}

/**
 * Returns the state of a context at a time; null before the context began. At the time of a change, returns the new
 * state. If two changes have the same millisecond, the later version counts. The service uses the same rules.
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
  /** Null if the change created the context. */
  readonly before: State | null
  readonly after: State
}

/** A time at which contexts of a run changed, in milliseconds since 1970, with the changes. */
export interface ChangeMoment {
  readonly time: number
  readonly changes: readonly VersionChange[]
}

/** Returns every moment of a run, oldest first. Changes of the same time are one moment. */
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

/** Returns the index of the last moment at or before a time; -1 before the first moment. */
export function momentAt(moments: readonly ChangeMoment[], time: number | null): number {
  return time === null ? moments.length - 1 : moments.findLastIndex((moment) => moment.time <= time)
}
