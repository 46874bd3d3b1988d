// The deployed worker with extra routes for tests ("doors"). If TEST_DIES is `true`, objects die on purpose: the
// erasing object once before and once after each piece of its work, and each erased conversation's object once before
// and once after it has emptied itself.
import { ErasureObject as Deployed } from '../../worker/chain/people/erasure-object.ts'
import { runRetention } from '../../worker/retention.ts'
import app, { ConversationObject as WithDoors } from './context-worker.mjs'

export { LedgerObject } from '../../worker/budget/ledger-object.ts'

/** The places at which an object has died. The set is kept when an object dies, and lost when the process ends. */
const died = new Set()

export class ErasureObject extends Deployed {
  probe(piece, when) {
    return dieOnce(this.ctx, this.env, `${piece} ${when}`)
  }
}

export class ConversationObject extends WithDoors {
  async erase() {
    await dieOnce(this.ctx, this.env, 'conversation before', this.ctx.id)
    await super.erase()
    await dieOnce(this.ctx, this.env, 'conversation after', this.ctx.id)
  }

  /** Begins the session a second time, or after its erasure. */
  beginAgain(opening) {
    return this.begin(opening)
  }

  everything() {
    const { sql } = this.ctx.storage
    const tables = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray()
    return Object.fromEntries(
      tables
        .filter(({ name }) => name.startsWith('_') === false)
        .map(({ name }) => [name, sql.exec(`SELECT * FROM "${name}"`).toArray()]),
    )
  }
}

/**
 * Ends the object when it reaches the place `where` for the first time. @param who identifies the object when each
 * object dies separately at this place
 */
async function dieOnce(ctx, env, where, who = '') {
  const place = `${who} ${where}`
  if (env.TEST_DIES !== 'true' || died.has(place)) return
  died.add(place)
  await ctx.storage.sync()
  ctx.abort(`died ${where} a piece`)
}

app.get('/doors/deaths', (c) => c.json([...new Set([...died].map((place) => place.slice(place.indexOf(' ') + 1)))]))

app.get('/doors/death-count', (c) => c.json(died.size))

app.post('/doors/:session/begin', async (c) => {
  const object = c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromString(c.req.param('session')))
  await object.beginAgain(await c.req.json())
  return c.json(null)
})

app.post('/doors/retention', async (c) => {
  await runRetention(c.env, Date.now() + Number(c.req.query('later') ?? 0))
  return c.json(null)
})

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export { app as default }
