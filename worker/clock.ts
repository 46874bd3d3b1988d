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
