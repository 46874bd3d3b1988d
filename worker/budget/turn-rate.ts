const MINUTE_MS = 60_000

/**
 * How long it is until another turn may begin, in milliseconds: 0 for now. No sixty seconds, wherever they start, see
 * more than `limit` turns begin.
 *
 * @param begun when turns began, oldest first and none later than now, in milliseconds since 1970
 */
export function waitFor(begun: readonly number[], limit: number, now: number): number {
  const blocking = begun.at(-limit)
  return blocking === undefined ? 0 : Math.max(0, blocking + MINUTE_MS - now)
}

/**
 * The same times, none of them later than now. Where a clock was set back they count from then on, and have to be kept so:
 * else everybody would wait until it is where it was.
 */
export function noneAhead(begun: readonly number[], now: number): readonly number[] {
  return begun.some((at) => at > now) ? begun.map((at) => Math.min(at, now)) : begun
}

/** The times to keep once a turn begins now: as many as can still matter. */
export function withTurn(begun: readonly number[], limit: number, now: number): readonly number[] {
  return [...noneAhead(begun, now).filter((at) => at > now - MINUTE_MS), now].slice(-limit)
}
