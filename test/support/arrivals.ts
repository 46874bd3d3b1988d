/**
 * How long a test waits for something that should come at once, on a machine that has more to do. Less than a test's own
 * time, so that the message is seen.
 */
const PATIENCE_MS = 30_000

/**
 * What arrived and has not been asked for yet, by name. `next` gives the oldest of a name, or waits for it, so a
 * test never misses what came before it asked and never sleeps.
 */
export class Arrivals {
  readonly #unread: { name: string; value: unknown }[] = []
  readonly #waiting: { name: string; resolve: (value: unknown) => void }[] = []

  push(name: string, value: unknown): void {
    const index = this.#waiting.findIndex((each) => each.name === name)
    if (index === -1) this.#unread.push({ name, value })
    else this.#waiting.splice(index, 1)[0]?.resolve(value)
  }

  /** @throws Error when nothing of that name comes in time; the message lists what did come. */
  next(name: string): Promise<unknown> {
    const index = this.#unread.findIndex((each) => each.name === name)
    const [found] = index === -1 ? [] : this.#unread.splice(index, 1)
    if (found !== undefined) return Promise.resolve(found.value)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`no "${name}" came; unread: ${JSON.stringify(this.#unread)}`))
      }, PATIENCE_MS)
      this.#waiting.push({
        name,
        resolve: (value) => {
          clearTimeout(timer)
          resolve(value)
        },
      })
    })
  }

  /** The names of what arrived and was not asked for, oldest first. */
  unread(): string[] {
    return this.#unread.map((each) => each.name)
  }
}
