import type { Output } from '../api/operations.ts'
import { rowsTogether, type Scope, statement } from '../scope.ts'
import type { Person } from './erasing.ts'
import { idsOf, isOf } from './person.ts'

export type PersonCounts = Output<'getPerson'>['counts']
export type PersonSession = Output<'getPerson'>['sessions'][number]

/** A row of `sessions` with what `SESSION_COLUMNS` asks for. */
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
 * A person's conversations, by the index of people: asked for them in an order, SQLite would rather go through all of the
 * tenant's, whose key has it.
 */
export const PERSON_SESSIONS = 'sessions INDEXED BY sessions_by_user'

export const SESSION_COLUMNS = 'session, scenario, npc, run_id, context_id, created_at, ended_at'

export function sessionOf(row: SessionRow): PersonSession {
  const { session, scenario, npc, run_id: runId, context_id: contextId, created_at: createdAt, ended_at: endedAt } = row
  return { session, scenario, npc, runId, contextId, createdAt, endedAt }
}

/** How much there is of a person, at one moment. */
export async function countPerson(scope: Scope, person: Person): Promise<PersonCounts> {
  const tables = ['sessions', 'contexts', 'memories', 'facts'] as const
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
