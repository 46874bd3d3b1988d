import type { Clock } from '../../worker/clock.ts'

interface Timer {
  readonly at: number
  readonly task: () => void
}

/** A clock that a test advances. */
export class ManualClock implements Clock {
  #time: number
  readonly #timers = new Set<Timer>()
  readonly #armed = new Map<number, number>()
  #reads = 0
  #readers: { count: number; resolve: () => void }[] = []
  #watchers: { ms: number; count: number; resolve: () => void }[] = []

  constructor(time = Date.UTC(2026, 0, 1)) {
    this.#time = time
  }

  /** The number of timers that still wait: they have not run, and nobody has cancelled them. */
  get pending(): number {
    return this.#timers.size
  }

  /** How often somebody has read the time. */
  get reads(): number {
    return this.#reads
  }

  now(): number {
    this.#reads += 1
    for (const reader of this.#readers) if (this.#reads >= reader.count) reader.resolve()
    return this.#time
  }

  /** Resolves when somebody has read the time `count` times, counted from the clock's creation. */
  whenRead(count: number): Promise<void> {
    if (this.#reads >= count) return Promise.resolve()
    return new Promise((resolve) => this.#readers.push({ count, resolve }))
  }

  after(ms: number, task: () => void): () => void {
    const timer = { at: this.#time + ms, task }
    this.#timers.add(timer)
    this.#armed.set(ms, this.#countOf(ms) + 1)
    for (const watcher of this.#watchers) if (this.#countOf(watcher.ms) >= watcher.count) watcher.resolve()
    return () => this.#timers.delete(timer)
  }

  advance(ms: number): void {
    this.#time += ms
    const due = [...this.#timers].filter((timer) => timer.at <= this.#time).toSorted((a, b) => a.at - b.at)
    for (const timer of due) if (this.#timers.delete(timer)) timer.task()
  }

  /** Resolves when somebody has set `count` timers of `ms` milliseconds, counted from the clock's creation. */
  whenArmed(ms: number, count: number): Promise<void> {
    if (this.#countOf(ms) >= count) return Promise.resolve()
    return new Promise((resolve) => this.#watchers.push({ ms, count, resolve }))
  }

  #countOf(ms: number): number {
    return this.#armed.get(ms) ?? 0
  }
}
