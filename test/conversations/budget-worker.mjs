// The deployed worker with extra routes for tests ("doors"): to its ledgers, and to end a conversation's object.
import { LedgerObject as DeployedLedger } from '../../worker/budget/ledger-object.ts'
import { app } from '../../worker/http/app.ts'
import { ConversationObject as Deployed } from '../../worker/session/session-object.ts'
import { doorsRoute } from './doors-route.mjs'

export class LedgerObject extends DeployedLedger {
  alarmAt() {
    return this.ctx.storage.getAlarm()
  }

  /** Runs the alarm and returns the names of the tables that still exist. */
  async ring() {
    await this.alarm()
    return this.ctx.storage.sql
      .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'")
      .toArray()
  }
}

export class ConversationObject extends Deployed {
  spending() {
    const [row] = this.ctx.storage.sql.exec('SELECT body FROM spending').toArray()
    return row ? JSON.parse(row.body) : null
  }

  async die() {
    await this.ctx.storage.sync()
    this.ctx.abort('died on purpose')
  }
}

/** Sends `count` reservations of the same amount at once, and settles each accepted reservation if `used` is given. */
app.post('/ledgers/:name/rush', async (c) => {
  const { count, amount, limit, used } = await c.req.json()
  const ledger = c.env.LEDGER.getByName(c.req.param('name'))
  const expires = Date.now() + 600_000
  const ids = Array.from({ length: count }, () => crypto.randomUUID())
  const answers = await Promise.all(
    ids.map(async (id) => {
      const answer = await ledger.hold({ id, amount, limit, expires })
      if (answer === 'held' && used !== undefined) await ledger.settle(id, used)
      return answer
    }),
  )
  const countOf = (wanted) => answers.filter((answer) => answer === wanted).length
  return c.json({ held: countOf('held'), crowded: countOf('crowded'), over: countOf('over') })
})

app.get('/ledgers/:name/:door', async (c) => {
  const { name, door } = c.req.param()
  return c.json(await c.env.LEDGER.getByName(name)[door]())
})

app.get('/ledgers/:name', async (c) => c.json(await c.env.LEDGER.getByName(c.req.param('name')).balance()))

app.get('/doors/:session/:door', doorsRoute)

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export { app as default }
