import { forgetClasses } from './chain/classes/classes.ts'
import { databasesOf } from './chain/database-of.ts'
import { migrateChain } from './chain/migrate.ts'
import { openScope } from './chain/open-scope.ts'
import { erasingIn } from './chain/people/erasing-objects.ts'
import { retain } from './chain/people/retain.ts'
import { readConfig } from './env.ts'
import { log } from './log.ts'

/** The most batches of records that one call of `runRetention` deletes. The next call deletes further batches. */
const PIECES = 200

const DAY_MS = 86_400_000

/**
 * Deletes data that nobody has used for `WALKON_RETENTION_DAYS` days; without that setting, deletes nothing
 * ([person-11]). The cron trigger in `wrangler.toml` calls this function.
 *
 * @param now milliseconds since 1970
 */
export async function runRetention(env: object, now: number): Promise<void> {
  const { retentionDays, trust } = readConfig({ ...env })
  if (retentionDays === null) return
  const conversations = { transcript: () => Promise.resolve(null) }
  const before = now - retentionDays * DAY_MS
  for (const db of databasesOf(env)) {
    await migrateChain(db)
    const scopeOf = (tenant: string) => {
      const erasing = erasingIn(env, tenant === trust.signing.deployment)
      return openScope({ db, tenant, by: 'walkon', secret: trust.learnerSecret, conversations, erasing })
    }
    const { isMore, ...counts } = await retain(scopeOf, { before, pieces: PIECES })
    await forgetClasses(scopeOf(trust.signing.deployment), before)
    log('retention', { ...counts, more: isMore ? 1 : 0 })
  }
}
