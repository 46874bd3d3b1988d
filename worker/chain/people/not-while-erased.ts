import { ChainError } from '../chain-error.ts'
import { guard } from '../commit.ts'
import { subjectOf } from './subject.ts'
import { rows, type Scope, type Statement } from '../scope.ts'

/** Which of these subjects are being erased. The list is what is walked, each of it looked up by its key. */
const ERASED = `FROM json_each(?2) AS subject
  CROSS JOIN tombstones ON tombstones.tenant = ?1 AND tombstones.subject = subject.value
  WHERE tombstones.running = 1`

type Person = string | null | undefined

/** For `commit`: that none of these people is being erased just now. One statement, however many they are. */
export async function noneBeingErased(scope: Scope, people: readonly Person[]): Promise<readonly Statement[]> {
  const subjects = [...(await bySubject(scope, people)).keys()]
  return subjects.length === 0 ? [] : [guard(scope, `NOT EXISTS (SELECT 1 ${ERASED})`, JSON.stringify(subjects))]
}

/** Which of these people are being erased just now. */
export async function whoIsBeingErased(scope: Scope, people: readonly Person[]): Promise<ReadonlySet<Person>> {
  const named = await bySubject(scope, people)
  if (named.size === 0) return new Set()
  const sql = `SELECT subject.value AS subject ${ERASED}`
  const found = await rows<{ subject: string }>(scope, sql, JSON.stringify([...named.keys()]))
  return new Set(found.map(({ subject }) => named.get(subject)))
}

/** @throws ERASURE_RUNNING when one of these people is being erased just now */
export async function refuseWhileErased(scope: Scope, people: readonly Person[]): Promise<void> {
  if ((await whoIsBeingErased(scope, people)).size > 0) throw erasureRunning()
}

export function erasureRunning(): ChainError {
  return new ChainError('ERASURE_RUNNING', 'this person is being erased')
}

async function bySubject(scope: Scope, people: readonly Person[]): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(people)].filter((person) => person !== null && person !== undefined)
  return new Map(await Promise.all(named.map(async (person) => [await subjectOf(scope, person), person] as const)))
}
