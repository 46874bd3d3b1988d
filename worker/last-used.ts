/** Keeps the values that were used last, at most a given number of them. */
export class LastUsed<T> {
  readonly #most: number
  /** The value used last is at the end. */
  readonly #values = new Map<string, T>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): T | null {
    const value = this.#values.get(key)
    if (value === undefined) return null
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  put(key: string, value: T): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    for (const oldest of this.#values.keys()) if (this.#values.size > this.#most) this.#values.delete(oldest)
  }

  keys(): Iterable<string> {
    return this.#values.keys()
  }
}
