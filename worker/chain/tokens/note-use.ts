import { prepared, statement } from '../scope.ts'
import type { Bearer } from './find-token.ts'

/** Notes on which day a token was last used: one write a day, however often it is. */
export async function noteUse(db: D1Database, { tenant, id, lastUsedDay }: Bearer, now: number): Promise<void> {
  const today = new Date(now).toISOString().slice(0, 10)
  if (id === null || lastUsedDay === today) return
  const sql = 'UPDATE tokens SET last_used_day = ?3 WHERE tenant = ?1 AND id = ?2'
  await prepared({ db }, statement({ tenant }, sql, id, today)).run()
}
