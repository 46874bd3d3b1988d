/**
 * How long a test waits for a value that should arrive at once, in milliseconds. A busy machine may need long. The time
 * is still shorter than a test's own time limit, so the test fails with the error of `next`, which lists the values
 * that did arrive.
 */
const PATIENCE_MS = 30_000

/**
 * Keeps named values until the test takes them. `next` returns the oldest value that has a certain name, or waits until
 * one arrives. So a test needs no pause, and does not miss a value that arrived early.
 */
export class Arrivals {
  readonly #unread: { name: string; value: unknown }[] = []
  readonly #waiting: { name: string; resolve: (value: unknown) => void }[] = []

  push(name: string, value: unknown): void {
    const index = this.#waiting.findIndex((each) => each.name === name)
    if (index === -1) this.#unread.push({ name, value })
    else this.#waiting.splice(index, 1)[0]?.resolve(value)
  }

  /**
   * Returns the oldest value with this name, or waits until one arrives. @throws Error when none arrives in time; the
   * message lists the values that did arrive.
   */
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

  /** Returns the names of the values that have arrived and that the test has not taken yet, oldest first. */
  unread(): string[] {
    return this.#unread.map((each) => each.name)
  }
}
