import { commit } from '../commit.ts'
import { type Scope, statement } from '../scope.ts'

/** As many as go at once; what is over is for the next time. */
const PAGE = 200

/** Forgets classes that are older than `before` (milliseconds since 1970) and in which nobody plays any more ([class-8]). */
export async function forgetClasses(scope: Scope, before: number): Promise<void> {
  const old = `SELECT id FROM classes WHERE tenant = ?1 AND created_at < ?2
    AND NOT EXISTS (SELECT 1 FROM class_runs k WHERE k.tenant = ?1 AND k.class_id = classes.id) LIMIT ${PAGE}`
  const sql = `DELETE FROM classes WHERE tenant = ?1 AND id IN (${old})`
  await commit(scope, { guards: [], writes: [statement(scope, sql, before)] })
}
