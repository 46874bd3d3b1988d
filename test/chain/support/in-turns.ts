import type { Scope } from '../../../worker/chain/scope.ts'

interface Bound {
  readonly real: D1PreparedStatement
  all(): Promise<D1Result>
}

/**
 * Does several things at once whose calls to the database go one at a time. Whose call is next is said by `turns`, each
 * taken among the calls that are waiting then; after the last of them it is the first that waits. So what would depend on
 * the moment depends on the numbers, and comes again with them.
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

/** A database whose calls wait in a list until somebody makes them. */
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

/** What was answered has been made something of, as far as that goes without the database. */
function allHaveAsked(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
