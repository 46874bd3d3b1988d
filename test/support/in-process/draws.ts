/**
 * Where a history takes its chances: from a list, and when that is used up from a seed. Zero is always the tamest choice,
 * so that a history can be made smaller by leaving choices out and by making them zero.
 */
export class Draws {
  /** All that was drawn, in order: the history itself. */
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

  /** The same history again, or a smaller one; zero for whatever is asked beyond it. */
  static replayed(taken: readonly number[]): Draws {
    return new Draws(taken, null)
  }

  /** A whole number from 0 up to, and not, `below`. */
  below(below: number): number {
    const given = this.#given[this.taken.length]
    const drawn = given ?? (this.#state === null ? 0 : this.#next())
    const value = drawn % below
    this.taken.push(value)
    return value
  }

  /** True once in `often` times. */
  oneIn(often: number): boolean {
    return this.below(often) === often - 1
  }

  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!
  }

  /** Mulberry32. */
  #next(): number {
    this.#state = ((this.#state ?? 0) + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t)
    return (t ^ (t >>> 14)) >>> 0
  }
}
