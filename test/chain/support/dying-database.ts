/**
 * When the caller of a database dies: before a batch is done, or after the batch but before the caller gets the result.
 * `null` means that the caller does not die.
 */
export type Death = 'before' | 'after' | null

/**
 * Returns a database whose caller dies as `deaths` says: the first entry is for the first batch, the second entry for
 * the second batch, and so on. All later batches succeed.
 */
export function dyingDatabase(db: D1Database, deaths: Death[]): D1Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'batch') {
        return async (statements: D1PreparedStatement[]) => {
          const death = deaths.shift() ?? null
          if (death === 'before') throw new Died()
          const answer = await target.batch(statements)
          if (death === 'after') throw new Died()
          return answer
        }
      }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

export class Died extends Error {
  override readonly name = 'Died'
}
