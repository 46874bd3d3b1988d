/** Another device may play the same run: the waits before the page asks for it again by itself. Then it asks no more. */
const WAITS_MS = [5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000, 60_000]

type WatchState =
  | { readonly name: 'resting' }
  | { readonly name: 'waiting'; readonly timer: ReturnType<typeof setTimeout>; readonly asked: number }

/**
 * Asks for the open run from time to time, more and more seldom, while the learner does nothing on this page. `start` begins
 * again with the shortest wait: when the learner arrives or comes back, and when an answer brought something new.
 */
export class RunWatch {
  readonly #ask: () => Promise<void>
  #state: WatchState = { name: 'resting' }

  /** @param ask asks for the open run. Never rejects */
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
    // If it was started or stopped meanwhile, this round is over.
    if (mine === this.#state && mine.name === 'waiting') this.#wait(mine.asked + 1)
  }
}
