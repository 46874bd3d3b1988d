import { type Scope, type Statement, statement } from '../scope.ts'
import { subjectOf } from './subject.ts'

/** Of a conversation with a tombstone nothing is ever applied again, whoever comes late with it. */
export async function tombstones(scope: Scope, sessions: readonly string[]): Promise<Statement> {
  const subjects = await Promise.all(sessions.map((session) => subjectOf(scope, session)))
  return statement(
    scope,
    `INSERT OR IGNORE INTO tombstones (tenant, subject, kind, at, running)
     SELECT ?1, value, 'session', ?3, 0 FROM json_each(?2)`,
    JSON.stringify(subjects),
    scope.now(),
  )
}
