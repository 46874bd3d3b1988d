import type { Scope } from '../../../worker/chain/scope.ts'

interface Bound {
  readonly real: D1PreparedStatement
  all(): Promise<D1Result>
}

/**
 * Runs several tasks at once and makes their database calls one at a time. Each number in `turns` selects the next call
 * among the waiting calls; after the last number, the first waiting call is always next. A race therefore depends on
 * `turns` only and can be repeated.
 */
export async function inTurns<T>(
  scope: Scope,
  turns: readonly number[],
  tasks: readonly ((scope: Scope) => Promise<T>)[],
): Promise<readonly T[]> {
  const waiting: (() => Promise<unknown>)[] = []
  const left = [...turns]
  let running = tasks.length
  const own = { ...scope, db: queued(scope.db, waiting) }
  const answers = tasks.map((task) => task(own).finally(() => (running -= 1)))
  while (running > 0) {
    await allHaveAsked()
    const [call] = waiting.splice((left.shift() ?? 0) % Math.max(1, waiting.length), 1)
    await call?.()
  }
  return await Promise.all(answers)
}

/** Returns a database whose calls are queued until `inTurns` makes them. */
function queued(db: D1Database, waiting: (() => Promise<unknown>)[]): D1Database {
  const later = <T>(call: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => waiting.push(() => call().then(resolve, reject)))
  const bound = (real: D1PreparedStatement): Bound => ({ real, all: () => later(() => real.all()) })
  const own = {
    prepare: (sql: string) => ({ bind: (...values: readonly unknown[]) => bound(db.prepare(sql).bind(...values)) }),
    batch: (statements: readonly Bound[]) => later(() => db.batch(statements.map(({ real }) => real))),
  }
  return own as unknown as D1Database
}

/** Waits until every task has handled the answer to its last call and has queued its next call. */
function allHaveAsked(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
