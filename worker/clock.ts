/** Time, as the actors need it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `task` once, `ms` milliseconds from now. The function that comes back calls it off. */
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
 * Waits for a promise, but for at most so many milliseconds. The work itself goes on.
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
