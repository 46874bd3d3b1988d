/** A clock with timers. Tests replace `systemClock` by a clock of their own. */
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
 * Waits for a promise for at most `ms` milliseconds. The work behind the promise is not cancelled.
 *
 * @param late makes the result if the work takes longer than `ms`; may throw
 * @throws the work's error, if the work fails within `ms`
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
