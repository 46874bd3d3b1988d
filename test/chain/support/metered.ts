import type { Scope } from '../../../worker/chain/scope.ts'

export interface Meter {
  /**
   * What the calls since the last reset have cost: the number of rows read, the number of rows written, and the number
   * of calls (`trips`).
   */
  readonly spent: { read: number; written: number; trips: number }
  reset(): void
}

/** Returns the same scope with a meter on its database. */
export function metered<S extends Scope>(scope: S): { readonly scope: S; readonly meter: Meter } {
  const spent = { read: 0, written: 0, trips: 0 }
  const count = (results: readonly D1Result[]) => {
    spent.trips += 1
    for (const { meta } of results) {
      spent.read += meta.rows_read
      spent.written += meta.rows_written
    }
  }
  const originals = new WeakMap<object, D1PreparedStatement>()
  const wrap = (original: D1PreparedStatement): D1PreparedStatement => {
    const own = {
      bind: (...values: unknown[]) => wrap(original.bind(...values)),
      all: async () => {
        const result = await original.all()
        count([result])
        return result
      },
    } as unknown as D1PreparedStatement
    originals.set(own, original)
    return own
  }
  const db = {
    prepare: (sql: string) => wrap(scope.db.prepare(sql)),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await scope.db.batch(statements.map((each) => originals.get(each) ?? each))
      count(results)
      return results
    },
  } as unknown as D1Database
  const reset = () => {
    Object.assign(spent, { read: 0, written: 0, trips: 0 })
  }
  return { scope: { ...scope, db }, meter: { spent, reset } }
}
