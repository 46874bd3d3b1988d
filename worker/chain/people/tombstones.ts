import { hmacHex } from '../../trust/hmac.ts'
import { ChainError } from '../chain-error.ts'
import { guard } from '../commit.ts'
import { rows, type Scope, type Statement, statement } from '../scope.ts'

/**
 * Makes the statement that writes tombstones (rows that mark conversations as erased). The chain never applies an event
 * of a conversation that has a tombstone.
 */
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

/**
 * Returns the keyed hash that replaces a person's name or a conversation's id. Within a tenant, the same name always
 * has the same hash. The hash is not reversible.
 */
export function subjectOf({ secret, tenant }: Pick<Scope, 'secret' | 'tenant'>, userId: string): Promise<string> {
  return hmacHex(secret, JSON.stringify(['subject', tenant, userId]))
}

/** Returns a guard that holds while a conversation has not been erased. */
export async function notErasedSession(scope: Scope, session: string): Promise<readonly Statement[]> {
  const erased = "EXISTS (SELECT 1 FROM tombstones WHERE tenant = ?1 AND subject = ?2 AND kind = 'session')"
  return [guard(scope, `NOT ${erased}`, await subjectOf(scope, session))]
}

/**
 * The FROM clause that selects, from a JSON list of subjects (`?2`, keyed hashes of names), those that are being
 * erased. SQLite goes through the list and looks up each subject by key.
 */
const ERASED = `FROM json_each(?2) AS subject
  CROSS JOIN tombstones ON tombstones.tenant = ?1 AND tombstones.subject = subject.value
  WHERE tombstones.running = 1`

type PersonName = string | null | undefined

/**
 * Returns one guard that holds while none of the given people is being erased; an empty list if no people are given.
 */
export async function noneBeingErased(scope: Scope, people: readonly PersonName[]): Promise<readonly Statement[]> {
  const subjects = [...(await bySubject(scope, people)).keys()]
  return subjects.length === 0 ? [] : [guard(scope, `NOT EXISTS (SELECT 1 ${ERASED})`, JSON.stringify(subjects))]
}

/** Returns those of the given people who are being erased. */
export async function whoIsBeingErased(scope: Scope, people: readonly PersonName[]): Promise<ReadonlySet<PersonName>> {
  const named = await bySubject(scope, people)
  if (named.size === 0) return new Set()
  const sql = `SELECT subject.value AS subject ${ERASED}`
  const found = await rows<{ subject: string }>(scope, sql, JSON.stringify([...named.keys()]))
  return new Set(found.map(({ subject }) => named.get(subject)))
}

/**
 * Refuses a write about people who are being erased.
 *
 * @throws ERASURE_RUNNING if one of the people is being erased
 */
export async function refuseWhileErased(scope: Scope, people: readonly PersonName[]): Promise<void> {
  if ((await whoIsBeingErased(scope, people)).size > 0) throw erasureRunning()
}

export function erasureRunning(): ChainError {
  return new ChainError('ERASURE_RUNNING', 'this person is being erased')
}

async function bySubject(scope: Scope, people: readonly PersonName[]): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(people)].filter((person) => person !== null && person !== undefined)
  return new Map(await Promise.all(named.map(async (person) => [await subjectOf(scope, person), person] as const)))
}
