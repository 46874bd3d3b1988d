/** The part of a Durable Object's storage that keeps its one alarm. */
type AlarmStorage = Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'deleteAlarm'>

/**
 * The object's one alarm. This class remembers when the alarm is set to ring, so that it need not be read before it is
 * set anew. What is written without an await in between becomes durable together, so the end of a turn and the alarm for
 * what is due next cost one write to the disk instead of two.
 */
export class Alarm {
  readonly #storage: AlarmStorage
  /** When the alarm rings, in milliseconds since 1970; null if it is not set; undefined if that has to be read first. */
  #at: number | null | undefined

  constructor(storage: AlarmStorage) {
    this.#storage = storage
  }

  /** Sets the alarm to what `next` returns; null removes it. Writes nothing if the alarm is set so already. */
  async schedule(next: () => number | null): Promise<void> {
    if (this.#at === undefined) this.#at = await this.#storage.getAlarm()
    // The time is computed after the await, because a turn may have begun or ended meanwhile.
    const at = next()
    // An alarm that is not needed, or too early, would wake a sleeping object for nothing.
    if (at !== this.#at) await (at === null ? this.#remove() : this.set(at))
  }

  /** Sets the alarm, whatever it was. */
  set(at: number): Promise<void> {
    this.#at = at
    return this.#written(this.#storage.setAlarm(at))
  }

  /** Tells that the alarm rings now, or that nobody knows what it is set to. */
  forget(): void {
    this.#at = undefined
  }

  #remove(): Promise<void> {
    this.#at = null
    return this.#written(this.#storage.deleteAlarm())
  }

  async #written(write: Promise<void>): Promise<void> {
    try {
      await write
    } catch (error) {
      this.#at = undefined
      throw error
    }
  }
}
