import { MIGRATIONS } from './migrations.ts'

/**
 * The most attempts at one step. If another isolate has run the step meanwhile, attempts at the next step count from 1.
 */
const MOST_TRIES = 5

/**
 * The databases whose schema is up to date. Requests share this set instead of a promise, because a promise that one
 * request made may never settle for another request.
 */
const ready = new WeakSet<D1Database>()

/**
 * Brings the chain's tables up to date, once for each isolate. If the tables are up to date, a call costs one row read.
 * Every step is one transaction, and a released step never changes. A schema newer than this code, left by a deployment
 * that was rolled back, is not changed. Two isolates may migrate at once, and neither waits for the other.
 */
export async function migrateChain(db: D1Database): Promise<void> {
  if (ready.has(db)) return
  await bringUp(db)
  ready.add(db)
}

async function bringUp(db: D1Database): Promise<void> {
  let last = -1
  for (let tries = 1; ; tries += 1) {
    const version = await versionOf(db)
    if (version >= MIGRATIONS.length) return
    if (version !== last) tries = 1
    last = version
    try {
      const step = MIGRATIONS[version] ?? []
      // If two isolates run the same step, the primary key of `chain_schema` makes the second batch fail.
      const mark = `INSERT INTO chain_schema (version) VALUES (${version + 1})`
      await db.batch([mark, ...step].map((sql) => db.prepare(sql)))
    } catch (error) {
      if (tries >= MOST_TRIES) throw error
    }
  }
}

async function versionOf(db: D1Database): Promise<number> {
  await db.prepare('CREATE TABLE IF NOT EXISTS chain_schema (version INTEGER PRIMARY KEY)').run()
  const row = await db.prepare('SELECT max(version) AS version FROM chain_schema').first<{ version: number | null }>()
  return row?.version ?? 0
}
