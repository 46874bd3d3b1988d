/**
 * The random choices that make a history. The choices come from a list first; when the list is used up, a seed gives
 * the next ones. Zero is always the most harmless choice, so a test makes a history simpler by leaving out choices or
 * setting them to zero.
 */
export class Draws {
  /** All choices that were drawn, in order. These choices define the history. */
  readonly taken: number[] = []
  readonly #given: readonly number[]
  #state: number | null

  private constructor(given: readonly number[], seed: number | null) {
    this.#given = given
    this.#state = seed
  }

  static seeded(seed: number): Draws {
    return new Draws([], seed)
  }

  /**
   * Replays a history, or a simpler version of it, from the list of its choices. After the end of the list, every
   * choice is zero.
   */
  static replayed(taken: readonly number[]): Draws {
    return new Draws(taken, null)
  }

  /** Draws an integer from 0 to `below` - 1. */
  below(below: number): number {
    const given = this.#given[this.taken.length]
    const drawn = given ?? (this.#state === null ? 0 : this.#next())
    const value = drawn % below
    this.taken.push(value)
    return value
  }

  oneIn(often: number): boolean {
    return this.below(often) === often - 1
  }

  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!
  }

  #next(): number {
    this.#state = ((this.#state ?? 0) + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t)
    return (t ^ (t >>> 14)) >>> 0
  }
}
