import { commit, guard } from '../commit.ts'
import { type Scope, statement, firstRow, type Statement } from '../scope.ts'

/** The digits of class codes: Crockford's base 32, in which no two digits look alike. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Number of digits in a class code. Twelve digits make 60 bits, so a stranger cannot guess a code. */
const LENGTH = 12

const CODE_FORM = new RegExp(`^[${DIGITS}]{${LENGTH}}$`)

/** Makes a new class code, without separators, as the database stores it. */
export function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH))
  return Array.from(bytes, (byte) => DIGITS.charAt(byte % DIGITS.length)).join('')
}

/**
 * Reads a class code as a learner typed it: in either case, with spaces or hyphens, with O for 0 and I or L for 1.
 * Returns null if the text is not a code.
 */
export function readCode(typed: string): string | null {
  if (typed.length > 64) return null
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return CODE_FORM.test(code) ? code : null
}

/** A new class, still empty. */
export interface ClassBegun {
  readonly id: string
  readonly code: string
}

/** Stores a new class for a simulation, with a new code. */
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

/** A class as a learner sees it before joining. */
export interface FoundClass {
  readonly id: string
  readonly title: string
  readonly scenario: string
}

/**
 * The most learners in one class. The limit exists because each request of a teacher reads all learners of the class.
 */
export const MOST_LEARNERS = 500

/**
 * The most learners who can join one class in a minute: enough for a full room, too few for a flood of fake learners.
 */
export const JOINS_A_MINUTE = 60

const THERE = 'EXISTS (SELECT 1 FROM classes WHERE tenant = ?1 AND id = ?2)'
const ROOM = `(SELECT count(*) FROM class_runs WHERE tenant = ?1 AND class_id = ?2) < ${MOST_LEARNERS}`
const PACE = `(SELECT count(*) FROM class_runs WHERE tenant = ?1 AND class_id = ?2 AND joined_at > ?3 - 60000) < ${JOINS_A_MINUTE}`

/** Why a learner can't join: the class is gone, is full, or too many joined in the last minute. */
export type JoinRefusal = 'unknown-class' | 'class-full' | 'class-busy'

/** Returns the class with a typed code; null if no class has the code. */
export async function findClass(scope: Scope, code: string): Promise<FoundClass | null> {
  const known = readCode(code)
  if (known === null) return null
  return firstRow<FoundClass>(scope, 'SELECT id, title, scenario FROM classes WHERE tenant = ?1 AND code = ?2', known)
}

/**
 * Makes the SQL statements that put a new run into a class. The caller executes them in the transaction that creates
 * the run, after the statement for the run's root. If a guard fails, `whyNotJoined` returns the reason.
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

/** Returns why a learner can't join a class now; null if they can. */
export async function whyNotJoined(scope: Scope, id: string): Promise<JoinRefusal | null> {
  const select = `SELECT ${THERE} AS there, ${ROOM} AS room, ${PACE} AS pace`
  const found = await firstRow<{ there: number; room: number; pace: number }>(scope, select, id, scope.now())
  if (found?.there !== 1) return 'unknown-class'
  if (found.room !== 1) return 'class-full'
  return found.pace === 1 ? null : 'class-busy'
}

/**
 * Removes runs from a class, so that other learners can join. The learners keep their runs. A run that is not in the
 * class does not change.
 */
export async function removeLearners(scope: Scope, id: string, runs: readonly string[]): Promise<void> {
  const sql = `DELETE FROM class_runs WHERE tenant = ?1 AND class_id = ?2 AND run_id IN (SELECT value FROM json_each(?3))`
  await commit(scope, { guards: [], writes: [statement(scope, sql, id, JSON.stringify(runs))] })
}

/** Gives a class a new code. The old code no longer works; learners who have joined stay. */
export async function renewCode(scope: Scope, id: string): Promise<void> {
  const sql = 'UPDATE classes SET code = ?3 WHERE tenant = ?1 AND id = ?2'
  await commit(scope, { guards: [], writes: [statement(scope, sql, id, newCode())] })
}

/** The most classes deleted at once. The next clean-up deletes the rest. */
const FORGOTTEN_AT_ONCE = 200

/** Deletes classes created before `before` (milliseconds since 1970) that have no runs left ([class-8]). */
export async function forgetClasses(scope: Scope, before: number): Promise<void> {
  const old = `SELECT id FROM classes WHERE tenant = ?1 AND created_at < ?2
    AND NOT EXISTS (SELECT 1 FROM class_runs k WHERE k.tenant = ?1 AND k.class_id = classes.id) LIMIT ${FORGOTTEN_AT_ONCE}`
  const sql = `DELETE FROM classes WHERE tenant = ?1 AND id IN (${old})`
  await commit(scope, { guards: [], writes: [statement(scope, sql, before)] })
}
