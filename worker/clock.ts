/** A clock with timers. In tests, a clock of the test's own replaces `systemClock`. */
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
 * Waits for the promise `work` for at most `ms` milliseconds. Returns the result of `work`; if `work` takes longer,
 * returns the result of `late` instead. This function never stops `work`.
 *
 * @param late makes the result if `work` takes longer; may throw
 * @throws the error of `work`, if it fails in time
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
