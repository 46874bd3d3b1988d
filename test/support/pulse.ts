/** Time after which `within` fails, in milliseconds. */
const LIMIT_MS = 180_000

/** Counts the events of all learners by name. Wakes the code that waits for an event. */
export class Pulse {
  readonly #counts = new Map<string, number>()
  #waiting: { holds: () => boolean; resolve: () => void }[] = []

  /** Counts an event: something that a client has received or sent. */
  readonly note = (name: string): void => {
    this.#counts.set(name, this.count(name) + 1)
    const ready = this.#waiting.filter(({ holds }) => holds())
    this.#waiting = this.#waiting.filter((each) => !ready.includes(each))
    for (const { resolve } of ready) resolve()
  }

  count(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ holds, resolve }))
  }
}

/** Returns the value of a promise. @throws after three minutes; the error contains the state of every learner */
export async function within<T>(what: string, done: Promise<T>, where: () => string): Promise<T> {
  let timer
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited too long for ${what}:\n${where()}`)), LIMIT_MS)
  })
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}
