/** A database whose caller dies: before what it asks for has happened, or after, without hearing of it. */
export type Death = 'before' | 'after' | null

/** `deaths`: one for each batch, in their order; after the last nobody dies any more. */
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
