// The deployed worker with extra routes for tests ("doors"). They return data that no client sees: the interaction log,
// the outbox, and the emails that the platform's binding accepted. Another door ends a conversation's object.
import { app } from '../../worker/http/app.ts'
import { ConversationObject as Deployed } from '../../worker/session/session-object.ts'
import { MIGRATIONS } from '../../worker/session/migrations.ts'
import { SessionStore } from '../../worker/session/session-store.ts'
import { laterRows } from '../../worker/later-table.ts'
import { doorsRoute } from './doors-route.mjs'

export class ConversationObject extends Deployed {
  #mails
  #holds

  constructor(ctx, env) {
    const mails = []
    super(ctx, { ...env, EMAIL: recording(env.EMAIL, mails) })
    this.#mails = mails
    this.#holds = env.TEST_HOLDS_OUTBOX === 'true'
  }

  /**
   * If TEST_HOLDS_OUTBOX is `true`, an alarm with pending messages never ends, so only a later process can send the
   * messages.
   */
  async alarm() {
    if (this.#holds && this.outbox().some(({ status }) => status === 'pending')) await new Promise(() => {})
    await super.alarm()
  }

  /** Returns all outgoing messages by id, with their delivery status. */
  outbox() {
    return laterRows(this.ctx.storage.sql, 'SELECT id, effect, status, attempts FROM outbox ORDER BY id')
  }

  mails() {
    return this.#mails
  }

  walk() {
    const { walk } = this.ctx.storage.sql.exec('SELECT walk FROM session').one()
    return JSON.parse(walk)
  }

  info() {
    return new SessionStore(this.ctx.storage).info()
  }

  put({ info, walk, turns, events }) {
    const { sql } = this.ctx.storage
    // An older version made all tables at the first wake.
    sql.exec('CREATE TABLE schema (version INTEGER NOT NULL)')
    for (const step of MIGRATIONS.slice(0, 3)) sql.exec(step)
    sql.exec('INSERT INTO schema (version) VALUES (3)')
    sql.exec('INSERT INTO session (id, info, walk) VALUES (1, ?, ?)', info, walk)
    for (const { id, status, learner } of turns)
      sql.exec(
        'INSERT INTO turns (id, attempt, status, cid, learner, lease, told) VALUES (?, 1, ?, ?, ?, 0, 1)',
        id,
        status,
        `old-${id}`,
        learner,
      )
    for (const [i, event] of events.entries())
      sql.exec('INSERT INTO events (seq, at, body) VALUES (?, ?, ?)', i + 1, i + 1, JSON.stringify(event))
  }

  async die() {
    await this.ctx.storage.sync()
    this.ctx.abort('died on purpose')
  }
}

function recording(binding, mails) {
  return {
    async send(mail) {
      const taken = await binding.send(mail)
      mails.push(mail)
      return taken
    },
  }
}

app.post('/doors/new', async (c) => {
  const id = c.env.CONVERSATIONS.newUniqueId()
  const body = await c.req.json()
  const info = JSON.stringify({ ...body.info, session: id.toString() })
  await c.env.CONVERSATIONS.get(id).put({ ...body, info })
  return c.json({ session: id.toString() })
})

app.get('/doors/:session/:door', doorsRoute)

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export { app as default }
