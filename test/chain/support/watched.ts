import type { Scope } from '../../../worker/chain/scope.ts'

/** The statements that a database has received. */
export interface Watch {
  readonly asked: { readonly sql: string; readonly values: readonly unknown[] }[]
  /**
   * The number of rows that the statements have read. `written` is the number of rows that they have written, and
   * `calls` the number of calls to the database.
   */
  rows: number
  written: number
  calls: number
}

interface Bound {
  readonly real: D1PreparedStatement
  all(): Promise<D1Result>
}

/** Returns the same scope with a record of all statements from now on. */
export function watched(scope: Scope): { readonly scope: Scope; readonly watch: Watch } {
  const watch: Watch = { asked: [], rows: 0, written: 0, calls: 0 }
  const noted = (results: readonly D1Result[]) => {
    watch.calls += 1
    for (const { meta } of results) {
      watch.rows += meta.rows_read
      watch.written += meta.rows_written
    }
  }
  const bound = (real: D1PreparedStatement): Bound => ({
    real,
    all: async () => {
      const result = await real.all()
      noted([result])
      return result
    },
  })
  const db = {
    prepare: (sql: string) => ({
      bind: (...values: readonly unknown[]) => {
        watch.asked.push({ sql, values })
        return bound(scope.db.prepare(sql).bind(...values))
      },
    }),
    batch: async (statements: readonly Bound[]) => {
      const results = await scope.db.batch(statements.map(({ real }) => real))
      noted(results)
      return results
    },
  }
  return { scope: { ...scope, db: db as unknown as D1Database }, watch }
}

/** Returns SQLite's query plans for all recorded statements, one line per step. */
export async function plansOf(db: D1Database, { asked }: Watch): Promise<readonly string[]> {
  const plans = await db.batch<{ detail: string }>(
    asked.map(({ sql, values }) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...values)),
  )
  return plans.flatMap(({ results }) => results.map(({ detail }) => detail))
}
