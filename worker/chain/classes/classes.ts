import { hmacHex } from '../../trust/hmac.ts'
import { commit, committedOrBusy, guard } from '../commit.ts'
import { firstRow, rowsTogether, type Scope, statement, type Statement } from '../scope.ts'

/** The digits of class codes: Crockford's base 32, in which no two digits look alike. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Number of digits in a class code. Six digits make about a thousand million codes, which a learner can type from the
 * wall. `findClass` keeps strangers from finding a code by trying.
 */
const LENGTH = 6

/** The form of a code. Older classes have codes of twelve digits, which still work. */
const CODE_FORM = new RegExp(`^(?:[${DIGITS}]{${LENGTH}}|[${DIGITS}]{12})$`)

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

/**
 * Stores a new class for a simulation, with a code that no other class has.
 *
 * @throws ChainError BUSY if every code that was drawn belongs to another class
 */
export function startClass(
  scope: Scope,
  { title, scenario }: { readonly title: string; readonly scenario: string },
  draw: () => string = newCode,
): Promise<ClassBegun> {
  const id = scope.newId('cls')
  const insert = `INSERT OR IGNORE INTO classes (tenant, id, code, title, scenario, created_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)`
  return committedOrBusy(async () => {
    const code = draw()
    const write = statement(scope, insert, id, code, title, scenario, scope.now())
    return (await changes(scope, write)) === 0 ? null : { id, code }
  })
}

/** Writes one statement. Returns the number of rows that it changed. */
async function changes(scope: Scope, write: Statement): Promise<number> {
  const committed = await commit(scope, { guards: [], writes: [write] })
  return committed.ok ? (committed.wrote[0]?.changes ?? 0) : 0
}

/** A class as a learner sees it before joining. */
export interface FoundClass {
  readonly id: string
  readonly title: string
  readonly scenario: string
  /** Whether the teacher has closed the class, so that nobody can join. */
  readonly closed: boolean
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
const OPEN = 'EXISTS (SELECT 1 FROM classes WHERE tenant = ?1 AND id = ?2 AND closed_at IS NULL)'
const ROOM = `(SELECT count(*) FROM class_runs WHERE tenant = ?1 AND class_id = ?2) < ${MOST_LEARNERS}`
const PACE = `(SELECT count(*) FROM class_runs WHERE tenant = ?1 AND class_id = ?2 AND joined_at > ?3 - 60000) < ${JOINS_A_MINUTE}`

/** Why a learner can't join: the class is gone, is closed, is full, or too many joined in the last minute. */
export type JoinRefusal = 'unknown-class' | 'class-closed' | 'class-full' | 'class-busy'

/** The most wrong codes that one client may try within `WRONG_CODES_MS`: more than the typing errors of a whole room. */
export const MOST_WRONG_CODES = 60

/** How long a wrong code counts, in milliseconds. */
export const WRONG_CODES_MS = 600_000

const OF_CODE = 'FROM classes WHERE tenant = ?1 AND code = ?2'

/**
 * Returns the class with a typed code; `unknown-class` if no class has the code, and `too-many-codes` if the client has
 * tried so many wrong codes that it has to wait ([class-12]). One transaction counts, looks and writes, so that
 * requests sent at once get no more tries. A code of twelve digits can't be guessed and isn't counted.
 *
 * @param client the group of network addresses to which the request belongs; null for a client that is not counted
 */
export async function findClass(
  scope: Scope,
  typed: string,
  client: string | null,
): Promise<FoundClass | 'unknown-class' | 'too-many-codes'> {
  const code = readCode(typed)
  if (code === null) return 'unknown-class'
  const isCounted = client !== null && code.length === LENGTH
  const answers = await rowsTogether(scope, [
    statement(scope, `SELECT id, title, scenario, closed_at ${OF_CODE}`, code),
    ...(isCounted ? await countWrongCode(scope, code, client) : []),
  ])
  const [[found], [tried] = []] = answers as unknown as [FoundRow[], { wrong: number }[]?]
  if (tried && tried.wrong >= MOST_WRONG_CODES) return 'too-many-codes'
  if (!found) return 'unknown-class'
  const { closed_at: closedAt, ...rest } = found
  return { ...rest, closed: closedAt !== null }
}

interface FoundRow extends Omit<FoundClass, 'closed'> {
  readonly closed_at: number | null
}

/**
 * Returns the statements that count a client's wrong codes so far, add this code if it is wrong and new, and delete the
 * wrong codes that no longer count. The same wrong code counts once, because a whole room may open an old link.
 */
async function countWrongCode(scope: Scope, code: string, client: string): Promise<readonly Statement[]> {
  const hash = await hmacHex(scope.secret, JSON.stringify(['client', scope.tenant, client]))
  const [now, since] = [scope.now(), scope.now() - WRONG_CODES_MS]
  const count = '(SELECT count(*) FROM wrong_codes WHERE tenant = ?1 AND client = ?3 AND tried_at > ?4)'
  const insert = `INSERT OR IGNORE INTO wrong_codes (tenant, client, code, tried_at)
    SELECT ?1, ?3, ?2, ?5 WHERE NOT EXISTS (SELECT 1 ${OF_CODE}) AND ${count} < ${MOST_WRONG_CODES}`
  return [
    statement(scope, `SELECT ${count} AS wrong`, code, hash, since),
    statement(scope, 'DELETE FROM wrong_codes WHERE tenant = ?1 AND tried_at <= ?2', since),
    statement(scope, insert, code, hash, since, now),
  ]
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
    guards: [guard(scope, OPEN, id), guard(scope, ROOM, id), guard(scope, PACE, id, at)],
    writes: [statement(scope, insert, id, run, at)],
  }
}

/** Returns why a learner can't join a class now; null if they can. */
export async function whyNotJoined(scope: Scope, id: string): Promise<JoinRefusal | null> {
  const select = `SELECT ${THERE} AS there, ${OPEN} AS open, ${ROOM} AS room, ${PACE} AS pace`
  const found = await firstRow<Record<'there' | 'open' | 'room' | 'pace', number>>(scope, select, id, scope.now())
  if (found?.there !== 1) return 'unknown-class'
  if (found.open !== 1) return 'class-closed'
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

/**
 * Gives a class a new code that no other class has. The old code no longer works; learners who have joined stay. For a
 * class that does not exist, nothing is written.
 *
 * @throws ChainError BUSY if every code that was drawn belongs to another class
 */
export async function renewCode(scope: Scope, id: string, draw: () => string = newCode): Promise<void> {
  const sql = 'UPDATE OR IGNORE classes SET code = ?3 WHERE tenant = ?1 AND id = ?2'
  await committedOrBusy(async () => {
    if ((await changes(scope, statement(scope, sql, id, draw()))) > 0) return 'renewed'
    const found = await firstRow<{ there: number }>(scope, `SELECT ${THERE} AS there`, id)
    return found?.there === 1 ? null : 'missing'
  })
}

/** Closes a class, so that nobody can join, or opens it again. Learners who have joined stay and play on. */
export async function closeClass(scope: Scope, id: string, closed: boolean): Promise<void> {
  const sql = 'UPDATE classes SET closed_at = iif(?3, coalesce(closed_at, ?4), NULL) WHERE tenant = ?1 AND id = ?2'
  await changes(scope, statement(scope, sql, id, closed ? 1 : 0, scope.now()))
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
