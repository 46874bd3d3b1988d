import { ChainError } from './chain-error.ts'
import { firstRow, prepared, type Scope, type Statement, statement, type SqlValue } from './scope.ts'

/** What came of a write. */
export type CommitResult =
  | {
      readonly ok: true
      /** For each write: how many rows it changed (those that triggers changed too), and what it returned. */
      readonly wrote: readonly { readonly changes: number; readonly rows: readonly Record<string, SqlValue>[] }[]
    }
  /** A guard did not hold: nothing was written, and whoever decided on what it had read has to read again. */
  | { readonly ok: false }

/** The constraint of `commit_guards` (tables/contexts.ts), as SQLite names it when it fails. */
const GUARD_FAILED = /CHECK constraint failed: guard_held/
const MOST_TRIES = 8

/**
 * Writes everything or nothing. D1 has no transaction that can be asked something in between: what was read before is
 * stated again as guards, which are asked in the same transaction as the writes.
 *
 * @param guards conditions, each an expression that is true while the write may happen, such as
 *   `EXISTS (SELECT 1 FROM contexts WHERE tenant = ?1 AND id = ?2 AND version = ?3)`
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

/** A condition, for `commit`. */
export function guard(scope: Scope, condition: string, ...values: readonly SqlValue[]): Statement {
  return statement(scope, condition, ...values)
}

/** What a question was answered, and the guard that it would still be answered so. */
export interface GuardedRead<T> {
  readonly seen: readonly T[]
  readonly unchanged: Statement
}

/**
 * Asks something that a write is to stand on. The guard asks it again within the write's transaction and compares the
 * answers, so that whatever may have changed in between is noticed, and nobody has to think of what that may be.
 *
 * @param sql a select of one column `seen` that is JSON, in an order of its own
 */
export async function look<T>(scope: Scope, sql: string, ...values: readonly SqlValue[]): Promise<GuardedRead<T>> {
  const all = `(SELECT json_group_array(json(seen)) FROM (${sql}))`
  const row = await firstRow<{ seen: string }>(scope, `SELECT ${all} AS seen`, ...values)
  const seen = row?.seen ?? '[]'
  const answer: readonly T[] = JSON.parse(seen)
  return { seen: answer, unchanged: guard(scope, `${all} = ?${values.length + 2}`, ...values, seen) }
}

/**
 * Reads, decides and writes, anew for as long as others write in between.
 *
 * @param attempt returns null when its guards did not hold
 * @returns null when that never came to pass; whoever asked may ask again later.
 */
export async function untilCommitted<T>(attempt: () => Promise<T | null>): Promise<T | null> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const done = await attempt()
    if (done !== null) return done
  }
  return null
}

/**
 * The same, for an operation of the API.
 *
 * @throws BUSY when that never came to pass
 */
export async function committedOrBusy<T>(attempt: () => Promise<T | null>): Promise<T> {
  const done = await untilCommitted(attempt)
  if (done === null) throw new ChainError('BUSY', 'too many write here at once; nothing was written')
  return done
}

/** Inserts nothing while the condition holds, and otherwise a row that the table refuses, which takes the batch back. */
function guardSql(condition: string): string {
  return `INSERT INTO commit_guards (held) SELECT 0 WHERE CASE WHEN ${condition} THEN 0 ELSE 1 END`
}
