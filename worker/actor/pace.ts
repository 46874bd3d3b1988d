import { ActorError } from './actor.ts'
import { systemClock } from './clock.ts'

/** Makes a pause of `ms` milliseconds between two words; with 0 there is none. Rejects when the reply is called off. */
export function createPace(ms: number): (signal: AbortSignal) => Promise<void> {
  return (signal) => {
    if (signal.aborted) return Promise.reject(new ActorError('aborted'))
    if (ms === 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const stop = () => {
        cancel()
        reject(new ActorError('aborted'))
      }
      const cancel = systemClock.after(ms, () => {
        signal.removeEventListener('abort', stop)
        resolve()
      })
      signal.addEventListener('abort', stop, { once: true })
    })
  }
}
