import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { rows, rowsTogether, type Scope, statement } from '../scope.ts'
import type { Person } from './erasing.ts'
import { erasureOf, lastErasure } from './erasure.ts'
import { idsOf, isOf, personOf } from './person.ts'

/** The most conversations that `getPerson` lists, newest first. All conversations are counted and exported. */
const MOST_SESSIONS = 1_000

/**
 * Returns the number of records about a person, their conversations and their last erasure.
 *
 * @throws ChainError PERSON_NOT_FOUND if nothing is known and nothing was erased
 */
export async function getPerson(
  scope: Scope,
  { user }: OperationInput<'getPerson'>,
): Promise<OperationOutput<'getPerson'>> {
  const person = await personOf(scope, user)
  const [counts, last, sessions] = await Promise.all([
    countPerson(scope, person),
    lastErasure(scope, person.subjects),
    rows<SessionRow>(
      scope,
      `SELECT ${SESSION_COLUMNS} FROM ${PERSON_SESSIONS} WHERE tenant = ?1 AND ${isOf('user_id', '?2')}
       ORDER BY created_at DESC, session LIMIT ${MOST_SESSIONS}`,
      idsOf(person),
    ),
  ])
  if (isNobody(counts) && last === null) throw nobody()
  return { userId: user, counts, sessions: sessions.map(sessionOf), erasure: last && erasureOf(last) }
}

export function nobody(): ChainError {
  return new ChainError('PERSON_NOT_FOUND', 'Nothing is known of such a person.', '/params/user')
}

export type PersonCounts = OperationOutput<'getPerson'>['counts']
export type PersonSession = OperationOutput<'getPerson'>['sessions'][number]

/** A row of `sessions` with the columns of `SESSION_COLUMNS`. */
export interface SessionRow {
  readonly session: string
  readonly scenario: string
  readonly npc: string
  readonly run_id: string
  readonly context_id: string
  readonly created_at: number
  readonly ended_at: number | null
}

/**
 * The table `sessions`, read through its index by person. Without `INDEXED BY`, SQLite would read all conversations of
 * the tenant, because the primary key has the requested order.
 */
export const PERSON_SESSIONS = 'sessions INDEXED BY sessions_by_user'

export const SESSION_COLUMNS = 'session, scenario, npc, run_id, context_id, created_at, ended_at'

export function sessionOf(row: SessionRow): PersonSession {
  const { session, scenario, npc, run_id: runId, context_id: contextId, created_at: createdAt, ended_at: endedAt } = row
  return { session, scenario, npc, runId, contextId, createdAt, endedAt }
}

/** Counts what is known about a person, at one moment. */
export async function countPerson(scope: Scope, person: Person): Promise<PersonCounts> {
  const tables = ['sessions', 'contexts', 'memories', 'facts', 'grants'] as const
  const found = await rowsTogether(
    scope,
    tables.map((table) =>
      statement(
        scope,
        `SELECT count(*) AS ${table} FROM ${table} WHERE tenant = ?1 AND ${isOf('user_id', '?2')}`,
        idsOf(person),
      ),
    ),
  )
  return Object.assign({}, ...found.flat()) as PersonCounts
}

export function isNobody(counts: PersonCounts): boolean {
  return Object.values(counts).every((count) => count === 0)
}
