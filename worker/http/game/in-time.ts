import { systemClock } from '../../actor/clock.ts'

/**
 * Waits for somebody else's work, and for so many milliseconds at most. The work itself goes on.
 *
 * @throws Error when it is not done by then; whatever the work throws
 */
export function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const callOff = systemClock.after(ms, () => reject(new Error('not done in time')))
  void work.then(resolve, reject).finally(callOff)
  return promise
}
