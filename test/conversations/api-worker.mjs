// The deployed worker with extra routes for tests ("doors") to all tables of the chain's database.
import { app } from '../../worker/http/app.ts'
import { migrateChain } from '../../worker/chain/migrate.ts'

export { LedgerObject } from '../../worker/budget/ledger-object.ts'
export { ErasureObject } from '../../worker/chain/people/erasure-object.ts'
export { ConversationObject } from '../../worker/session/session-object.ts'

/** Returns every table with all its rows, except SQLite's and D1's own tables. */
app.get('/doors/tables', async (c) => {
  const db = c.env[c.req.query('of') ?? 'DB']
  await migrateChain(db)
  const { results } = await db
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' ORDER BY name`,
    )
    .all()
  const tables = await db.batch(results.map(({ name }) => db.prepare(`SELECT * FROM "${name}"`)))
  return c.json(Object.fromEntries(results.map(({ name }, index) => [name, tables[index].results])))
})

/** Makes a token expire at once. */
app.get('/doors/expire/:token', async (c) => {
  await c.env.DB.prepare('UPDATE tokens SET expires_at = 1 WHERE id = ?1').bind(c.req.param('token')).run()
  return c.json(null)
})

/** Drops a table, so that every query on it fails. */
app.get('/doors/break/:table', async (c) => {
  await migrateChain(c.env.DB)
  await c.env.DB.prepare(`DROP TABLE "${c.req.param('table')}"`).run()
  return c.json(null)
})

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export { app as default }
