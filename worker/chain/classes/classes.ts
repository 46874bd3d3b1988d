import { commit, guard } from '../commit.ts'
import { type Scope, statement, firstRow, type Statement } from '../scope.ts'

/** Crockford's digits: none that is taken for another, and no word comes of them. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 60 bits: nobody comes upon a class by trying. */
const LENGTH = 12

const CODE_FORM = new RegExp(`^[${DIGITS}]{${LENGTH}}$`)

/** A code for a class, as it is stored. */
export function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH))
  return Array.from(bytes, (byte) => DIGITS.charAt(byte % DIGITS.length)).join('')
}

/** The code that somebody has typed: in small letters, in groups, with letters that look like figures. Null: none. */
export function readCode(typed: string): string | null {
  if (typed.length > 64) return null
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return CODE_FORM.test(code) ? code : null
}

/** A class that has just begun, with nobody in it. */
export interface ClassBegun {
  readonly id: string
  readonly code: string
}

/** Writes down a class that plays a simulation, under a code of its own. */
export async function startClass(
  scope: Scope,
  { title, scenario }: { readonly title: string; readonly scenario: string },
): Promise<ClassBegun> {
  const id = scope.newId('cls')
  const code = newCode()
  const insert = `INSERT INTO classes (tenant, id, code, title, scenario, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)`
  await commit(scope, { guards: [], writes: [statement(scope, insert, id, code, title, scenario, scope.now())] })
  return { id, code }
}

/** A class, as whoever wants to join it sees it. */
export interface FoundClass {
  readonly id: string
  readonly title: string
  readonly scenario: string
}

/** Learners in one class. Whatever a teacher asks reads all of them. */
export const MOST_LEARNERS = 500

/** Learners who can join one class within a minute: a class that sits in one room, and no flood of invented ones. */
export const JOINS_A_MINUTE = 60

const THERE = 'EXISTS (SELECT 1 FROM classes WHERE tenant = ?1 AND id = ?2)'
const ROOM = `(SELECT count(*) FROM class_runs WHERE tenant = ?1 AND class_id = ?2) < ${MOST_LEARNERS}`
const PACE = `(SELECT count(*) FROM class_runs WHERE tenant = ?1 AND class_id = ?2 AND joined_at > ?3 - 60000) < ${JOINS_A_MINUTE}`

/** Why a learner can't join: the class is gone, is full, or was joined by too many within the last minute. */
export type JoinRefusal = 'unknown-class' | 'class-full' | 'class-busy'

/** The class of a code, as somebody has typed it; null where there is none. */
export async function findClass(scope: Scope, code: string): Promise<FoundClass | null> {
  const known = readCode(code)
  if (known === null) return null
  return firstRow<FoundClass>(scope, 'SELECT id, title, scenario FROM classes WHERE tenant = ?1 AND code = ?2', known)
}

/**
 * Has a run that is about to begin be played in a class. It writes nothing itself: what it gives goes into the transaction
 * that writes the run, the writes after its root. Where a guard does not hold, `whyNotJoined` says why.
 *
 * @param at milliseconds since 1970
 */
export function joinClass(
  scope: Scope,
  { class: id, run, at }: { readonly class: string; readonly run: string; readonly at: number },
): { readonly guards: readonly Statement[]; readonly writes: readonly Statement[] } {
  const insert = 'INSERT INTO class_runs (tenant, class_id, run_id, joined_at) VALUES (?1, ?2, ?3, ?4)'
  return {
    guards: [guard(scope, THERE, id), guard(scope, ROOM, id), guard(scope, PACE, id, at)],
    writes: [statement(scope, insert, id, run, at)],
  }
}

/** Says why a learner can't join a class now; null where one can. */
export async function whyNotJoined(scope: Scope, id: string): Promise<JoinRefusal | null> {
  const select = `SELECT ${THERE} AS there, ${ROOM} AS room, ${PACE} AS pace`
  const found = await firstRow<{ there: number; room: number; pace: number }>(scope, select, id, scope.now())
  if (found?.there !== 1) return 'unknown-class'
  if (found.room !== 1) return 'class-full'
  return found.pace === 1 ? null : 'class-busy'
}

/**
 * Takes runs out of a class, so that their places are free again. The runs stay their learners' own. A run that is in no
 * class, or in another one, stays where it is.
 */
export async function removeLearners(scope: Scope, id: string, runs: readonly string[]): Promise<void> {
  const sql = `DELETE FROM class_runs WHERE tenant = ?1 AND class_id = ?2 AND run_id IN (SELECT value FROM json_each(?3))`
  await commit(scope, { guards: [], writes: [statement(scope, sql, id, JSON.stringify(runs))] })
}

/** Gives a class another code. The one before lets nobody in any more; learners who have joined stay. */
export async function renewCode(scope: Scope, id: string): Promise<void> {
  const sql = 'UPDATE classes SET code = ?3 WHERE tenant = ?1 AND id = ?2'
  await commit(scope, { guards: [], writes: [statement(scope, sql, id, newCode())] })
}

/** As many as go at once; what is over is for the next time. */
const FORGOTTEN_AT_ONCE = 200

/** Forgets classes that are older than `before` (milliseconds since 1970) and in which nobody plays any more ([class-8]). */
export async function forgetClasses(scope: Scope, before: number): Promise<void> {
  const old = `SELECT id FROM classes WHERE tenant = ?1 AND created_at < ?2
    AND NOT EXISTS (SELECT 1 FROM class_runs k WHERE k.tenant = ?1 AND k.class_id = classes.id) LIMIT ${FORGOTTEN_AT_ONCE}`
  const sql = `DELETE FROM classes WHERE tenant = ?1 AND id IN (${old})`
  await commit(scope, { guards: [], writes: [statement(scope, sql, before)] })
}
