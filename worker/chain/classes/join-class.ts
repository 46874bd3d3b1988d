import { guard } from '../commit.ts'
import { firstRow, type Scope, type Statement, statement } from '../scope.ts'
import { readCode } from './class-code.ts'

/** A class, as whoever wants to join it sees it. */
export interface FoundClass {
  readonly id: string
  readonly title: string
  readonly scenario: string
}

/** Learners in one class. Whatever a teacher asks reads all of them. */
export const MOST_LEARNERS = 500

const THERE = 'EXISTS (SELECT 1 FROM classes WHERE tenant = ?1 AND id = ?2)'
const ROOM = `(SELECT count(*) FROM class_runs WHERE tenant = ?1 AND class_id = ?2) < ${MOST_LEARNERS}`

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
  return { guards: [guard(scope, THERE, id), guard(scope, ROOM, id)], writes: [statement(scope, insert, id, run, at)] }
}

/** Why nobody can join a class now; null where somebody can. */
export async function whyNotJoined(scope: Scope, id: string): Promise<'unknown-class' | 'class-full' | null> {
  const found = await firstRow<{ there: number; room: number }>(scope, `SELECT ${THERE} AS there, ${ROOM} AS room`, id)
  if (found?.there !== 1) return 'unknown-class'
  return found.room === 1 ? null : 'class-full'
}
