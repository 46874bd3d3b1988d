import { MIGRATIONS } from './migrations.ts'

/** How often one step may fail. Whoever finds that another has taken it has not failed. */
const MOST_TRIES = 5

/** Only what is done is known to all: an answer that one request waits for may never come, or come to nobody else. */
const ready = new WeakSet<D1Database>()

/**
 * Brings the chain's tables up to date, once for each isolate: a current schema costs one row read. Every step is one
 * transaction, and one that has landed is never edited. A newer deployment that was rolled back has left more than this
 * code knows, and that stays as it is. Whoever comes while another is at it does the same, and waits for nobody.
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
      // The key is what keeps two isolates from taking the same step: the later one's whole batch is taken back.
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
