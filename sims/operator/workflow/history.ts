import type { Known, State } from './known.ts'

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
export function stateAt(context: Known, time: number | null): State | null {
  if (time === null) return statesOf(context).at(-1) ?? null
  if (time < context.createdAt) return null
  return statesOf(context).findLast(({ timestamp }) => timestamp <= time) ?? null
}
