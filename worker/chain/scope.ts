import type { Erasing } from './people/erasing.ts'

/**
 * A tenant's part of the chain, and everything that is needed to read and write that part. A tenant is the deployment
 * itself, or an owner of API tokens that the operator has named. Every record belongs to one tenant, and a scope never
 * reads records of another tenant.
 */
export interface Scope {
  readonly db: D1Database
  readonly tenant: string
  /** The key of the hashes that replace people's names. It never changes. */
  readonly secret: string
  readonly conversations: TranscriptReader
  /** Access to the Durable Objects that an erasure has to empty, besides the database. */
  readonly erasing: Erasing
  /** The name of the caller: the author of new versions, unless a request names another. */
  readonly by: string
  /** Returns the time, in milliseconds since 1970. */
  now(): number
  /** Makes a new id: `ctx_…`, `mem_…`, `era_…`, `cls_…`, `grt_…`. */
  newId(kind: IdKind): string
}

/** Reads transcripts from the conversations' objects. */
export interface TranscriptReader {
  /** Returns the messages of a conversation as the learner saw them; null if the conversation does not exist. */
  transcript(session: string): Promise<readonly TranscriptMessage[] | null>
}

export interface TranscriptMessage {
  readonly id: string
  readonly who: 'learner' | 'npc'
  readonly text: string
  /** When the message was said, in milliseconds since 1970. */
  readonly at: number
}

export type IdKind = 'ctx' | 'mem' | 'era' | 'cls' | 'grt'

/** A SQL statement of one tenant with its values. `?1` is always the tenant. */
export interface Statement {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

export type SqlValue = string | number | null

/**
 * Makes a statement for the scope's tenant. `?1` is the tenant, and `values` begin at `?2`. Every record has a tenant,
 * so every statement must contain `?1`.
 *
 * @throws if the SQL does not contain `?1`, which is a programming error
 */
export function statement({ tenant }: Pick<Scope, 'tenant'>, sql: string, ...values: readonly SqlValue[]): Statement {
  if (!/\?1(?!\d)/.test(sql)) throw new Error('a statement of the chain has to name its tenant')
  return { sql, values: [tenant, ...values] }
}

/** Returns the rows of a statement. */
export async function rows<T>(scope: Scope, sql: string, ...values: readonly SqlValue[]): Promise<readonly T[]> {
  const { results } = await prepared(scope, statement(scope, sql, ...values)).all<T>()
  return results
}

/** Returns the first row of a statement; null if it has no rows. */
export async function firstRow<T>(scope: Scope, sql: string, ...values: readonly SqlValue[]): Promise<T | null> {
  const [row] = await rows<T>(scope, sql, ...values)
  return row ?? null
}

/** Returns the rows of several statements, all read at one moment. */
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
