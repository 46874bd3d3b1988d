/**
 * The page requests the open run again and again, because another device may be playing the same run. These are the
 * waits between the requests, in milliseconds. After the last wait, the automatic requests stop.
 */
const WAITS_MS = [5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000, 60_000]

type WatchState =
  | { readonly name: 'resting' }
  | { readonly name: 'waiting'; readonly timer: ReturnType<typeof setTimeout>; readonly asked: number }

/**
 * Requests the open run at growing intervals. `start` begins again with the shortest wait. The game calls `start` when
 * the learner arrives or returns, and when an answer contained news.
 */
export class RunWatch {
  readonly #ask: () => Promise<void>
  #state: WatchState = { name: 'resting' }

  constructor(ask: () => Promise<void>) {
    this.#ask = ask
  }

  start(): void {
    this.#wait(0)
  }

  stop(): void {
    if (this.#state.name === 'waiting') clearTimeout(this.#state.timer)
    this.#state = { name: 'resting' }
  }

  #wait(asked: number): void {
    this.stop()
    const wait = WAITS_MS[asked]
    if (wait === undefined) return
    this.#state = { name: 'waiting', timer: setTimeout(() => void this.#askAndWait(), wait), asked }
  }

  async #askAndWait(): Promise<void> {
    const mine = this.#state
    await this.#ask()
    // If `start` or `stop` was called during the request, this loop of requests ends here.
    if (mine === this.#state && mine.name === 'waiting') this.#wait(mine.asked + 1)
  }
}
