import { ChainError } from './chain-error.ts'
import { firstRow, prepared, type Scope, type Statement, statement, type SqlValue } from './scope.ts'

/** The result of a write. */
export type CommitResult =
  | {
      readonly ok: true
      /**
       * For each write: the number of rows that the write and its triggers changed, and the rows that the write
       * returned.
       */
      readonly wrote: readonly { readonly changes: number; readonly rows: readonly Record<string, SqlValue>[] }[]
    }
  /** A guard failed and nothing was written. The caller has to repeat its reads before it tries to write again. */
  | { readonly ok: false }

/** SQLite's error for a row that breaks the constraint of `commit_guards` (tables/contexts.ts). */
const GUARD_FAILED = /CHECK constraint failed: guard_held/
const MOST_TRIES = 8

/**
 * Writes all statements or none. The statements run as one D1 batch, which is a transaction. A program cannot decide
 * anything within a batch. So the caller reads and decides before the batch, and passes guards: conditions that hold
 * while the rows that the caller has read are unchanged. The transaction checks the guards first.
 *
 * @param guards conditions, each an expression that is true while the write may happen, such as `EXISTS (SELECT 1 FROM
 *   contexts WHERE tenant = ?1 AND id = ?2 AND version = ?3)`
 */
export async function commit(
  scope: Scope,
  { guards, writes }: { guards: readonly Statement[]; writes: readonly Statement[] },
): Promise<CommitResult> {
  const all = [...guards.map(({ sql, values }) => ({ sql: guardSql(sql), values })), ...writes]
  try {
    const answers = await scope.db.batch<Record<string, SqlValue>>(all.map((each) => prepared(scope, each)))
    const wrote = answers.slice(guards.length).map(({ results, meta }) => ({ changes: meta.changes, rows: results }))
    return { ok: true, wrote }
  } catch (error) {
    if (error instanceof Error && GUARD_FAILED.test(error.message)) return { ok: false }
    throw error
  }
}

/** Makes a guard for `commit` from an SQL condition. */
export function guard(scope: Scope, condition: string, ...values: readonly SqlValue[]): Statement {
  return statement(scope, condition, ...values)
}

/** The rows of a query, and a guard that holds while the query returns the same rows. */
export interface GuardedRead<T> {
  readonly seen: readonly T[]
  readonly unchanged: Statement
}

/**
 * Reads the rows that a write depends on, and makes a guard for that write. The guard repeats the query within the
 * write's transaction and compares the results. So the write fails if the rows have changed since the read.
 *
 * @param sql a SELECT of one JSON column named `seen`, with its rows in a fixed order
 */
export async function look<T>(scope: Scope, sql: string, ...values: readonly SqlValue[]): Promise<GuardedRead<T>> {
  const all = `(SELECT json_group_array(json(seen)) FROM (${sql}))`
  const row = await firstRow<{ seen: string }>(scope, `SELECT ${all} AS seen`, ...values)
  const seen = row?.seen ?? '[]'
  const answer: readonly T[] = JSON.parse(seen)
  return { seen: answer, unchanged: guard(scope, `${all} = ?${values.length + 2}`, ...values, seen) }
}

/**
 * Repeats an attempt up to eight times while other requests change the rows that it reads.
 *
 * @param attempt reads, decides and writes; returns null if its guards failed
 * @returns null if every attempt failed; the caller may try again later
 */
export async function untilCommitted<T>(attempt: () => Promise<T | null>): Promise<T | null> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const done = await attempt()
    if (done !== null) return done
  }
  return null
}

/**
 * Repeats an attempt up to eight times, as `untilCommitted` does. For operations of the API.
 *
 * @throws BUSY if every attempt failed
 */
export async function committedOrBusy<T>(attempt: () => Promise<T | null>): Promise<T> {
  const done = await untilCommitted(attempt)
  if (done === null) throw new ChainError('BUSY', 'too many write here at once; nothing was written')
  return done
}

/**
 * Returns an SQL statement that inserts nothing if the condition holds. Otherwise the statement inserts a row that
 * violates a constraint, which rolls back the batch.
 */
function guardSql(condition: string): string {
  return `INSERT INTO commit_guards (held) SELECT 0 WHERE CASE WHEN ${condition} THEN 0 ELSE 1 END`
}
