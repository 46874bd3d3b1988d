import { systemClock } from '../clock.ts'
import type { Pace } from './rehearsal-actor.ts'

/** Makes a pause of `ms` milliseconds before each word; with 0 there is none. The actor itself heeds the abort. */
export function createPace(ms: number): Pace {
  if (ms === 0) return () => Promise.resolve()
  return () => new Promise((resolve) => systemClock.after(ms, resolve))
}
