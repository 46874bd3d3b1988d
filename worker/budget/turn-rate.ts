const MINUTE_MS = 60_000

/**
 * How long it is until another turn may begin, in milliseconds: 0 for now. No sixty seconds, wherever they start, see
 * more than `limit` turns begin.
 *
 * @param begun when turns began, oldest first, in milliseconds since 1970
 */
export function waitFor(begun: readonly number[], limit: number, now: number): number {
  const blocking = begun.at(-limit)
  if (blocking === undefined) return 0
  // A clock that was set back does not make anybody wait longer than a minute.
  return Math.max(0, Math.min(blocking, now) + MINUTE_MS - now)
}

/** The times to keep once a turn begins now: as many as can still matter. */
export function withTurn(begun: readonly number[], limit: number, now: number): readonly number[] {
  return [...begun.map((at) => Math.min(at, now)).filter((at) => at > now - MINUTE_MS), now].slice(-limit)
}
