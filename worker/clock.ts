/** A clock with timers, as the actors need it. */
export interface Clock {
  /** Returns the time, in milliseconds since 1970. */
  now(): number
  /** Runs `task` once, `ms` milliseconds from now. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

/**
 * Waits for a promise, for at most `ms` milliseconds. The work itself continues.
 *
 * @param late makes the result if the work is not done by then; may throw
 * @throws whatever the work throws by then
 */
export function inTime<T, L>(
  work: Promise<T>,
  ms: number,
  late: () => L,
  clock: Pick<Clock, 'after'> = systemClock,
): Promise<T | L> {
  const end = Promise.withResolvers<void>()
  const callOff = clock.after(ms, () => end.resolve())
  return Promise.race([work, end.promise.then(late)]).finally(callOff)
}
