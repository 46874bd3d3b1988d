import type { Erasing } from './people/erasing.ts'

/**
 * Whose chain is asked, and with what. Everything the chain knows belongs to one tenant, and nothing in here ever looks
 * past the tenant it was given.
 */
export interface Scope {
  readonly db: D1Database
  readonly tenant: string
  /** Names people where their own name may not stand. Never rotated. */
  readonly secret: string
  readonly conversations: TranscriptReader
  /** What holds something of a person besides the database, as far as erasing them has to reach it. */
  readonly erasing: Erasing
  /** Who asks, by name: what versions say they were made by, unless a request names somebody. */
  readonly by: string
  /** Milliseconds since 1970. */
  now(): number
  /** A new id, never given out before: `ctx_…`, `mem_…`, `era_…`, `cls_…`. */
  newId(kind: IdKind): string
}

/** The conversations' objects, as far as the chain has to reach them. */
export interface TranscriptReader {
  /** What was said in a conversation, as the learner saw it; null where there is none. */
  transcript(session: string): Promise<readonly TranscriptMessage[] | null>
}

export interface TranscriptMessage {
  readonly id: string
  readonly who: 'learner' | 'npc'
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export type IdKind = 'ctx' | 'mem' | 'era' | 'cls'

/** A statement of SQL with its values, for one tenant: `?1` is the tenant, always. */
export interface Statement {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

export type SqlValue = string | number | null

/**
 * A statement for this tenant. Its own values begin at `?2`. Every table of the chain has the tenant as its first column,
 * and no statement goes out that does not name it.
 *
 * @throws when the SQL does not name the tenant, which is a defect.
 */
export function statement({ tenant }: Pick<Scope, 'tenant'>, sql: string, ...values: readonly SqlValue[]): Statement {
  if (!/\?1(?!\d)/.test(sql)) throw new Error('a statement of the chain has to name its tenant')
  return { sql, values: [tenant, ...values] }
}

/** The rows of one statement. */
export async function rows<T>(scope: Scope, sql: string, ...values: readonly SqlValue[]): Promise<readonly T[]> {
  const { results } = await prepared(scope, statement(scope, sql, ...values)).all<T>()
  return results
}

/** The first row of one statement, or null. */
export async function firstRow<T>(scope: Scope, sql: string, ...values: readonly SqlValue[]): Promise<T | null> {
  const [row] = await rows<T>(scope, sql, ...values)
  return row ?? null
}

/** The rows of several statements, as they all stand at one moment. */
export async function rowsTogether(
  scope: Scope,
  statements: readonly Statement[],
): Promise<readonly (readonly Record<string, SqlValue>[])[]> {
  const answers = await scope.db.batch<Record<string, SqlValue>>(statements.map((each) => prepared(scope, each)))
  return answers.map(({ results }) => results)
}

export function prepared(scope: Pick<Scope, 'db'>, { sql, values }: Statement): D1PreparedStatement {
  return scope.db.prepare(sql).bind(...values)
}
