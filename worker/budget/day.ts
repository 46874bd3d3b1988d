export const DAY_MS = 86_400_000

/** The day a moment belongs to, in UTC: `2026-11-20`. @param at milliseconds since 1970 */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** When that day ends and the next begins, in milliseconds since 1970. */
export function endOfDay(at: number): number {
  return (Math.floor(at / DAY_MS) + 1) * DAY_MS
}
