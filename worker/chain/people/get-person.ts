import type { Input, Output } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { rows, type Scope } from '../scope.ts'
import { erasureOf, lastErasure } from './erasure-row.ts'
import { idsOf, isOf, personOf } from './person.ts'
import { countPerson, isNobody, PERSON_SESSIONS, SESSION_COLUMNS, sessionOf, type SessionRow } from './person-rows.ts'

/** Conversations that are named, the newest first; all of them are counted, and exported. */
const MOST_SESSIONS = 1_000

/** How much is known of a person, and where. @throws ChainError PERSON_NOT_FOUND when nothing is and nothing was erased */
export async function getPerson(scope: Scope, { user }: Input<'getPerson'>): Promise<Output<'getPerson'>> {
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
