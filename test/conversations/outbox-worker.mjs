// The deployed conversation object with extra routes for tests ("doors"). They end a turn with an outgoing message and
// make the object die at chosen moments. The messages themselves are sent by the code of the deployed worker.
import { Hono } from 'hono'
import { ConversationObject as Deployed } from '../../worker/session/session-object.ts'
import { SessionStore } from '../../worker/session/session-store.ts'

const NO_SHARE = { events: [], isOver: false, isCopyable: false }
const END = { attempt: 1, status: 'done', walk: {}, events: [], heard: null, sends: [], records: [] }

export class ConversationObject extends Deployed {
  #diesAtAlarm = false
  #mails

  constructor(ctx, env) {
    const mails = []
    super(ctx, { ...env, EMAIL: recording(env.EMAIL, mails) })
    this.#mails = mails
  }

  open(info) {
    new SessionStore(this.ctx.storage).create(info, {})
  }

  /**
   * Ends a turn that sends the given messages to other systems. A test may pass an `attempt` that is not the current
   * attempt of the turn.
   */
  endTurn({ sends, attempt = 1, diesAtAlarm = false }) {
    const store = new SessionStore(this.ctx.storage)
    const at = Date.now()
    this.#diesAtAlarm = diesAtAlarm
    const { turn } = store.beginTurn({ cid: crypto.randomUUID(), learner: 'a canary', page: null }, at, at + 60_000)
    store.endTurn({ ...END, turn: turn.id, attempt, sends }, at, NO_SHARE)
    if (attempt !== 1) store.endTurn({ ...END, turn: turn.id, attempt: turn.attempt, status: 'failed' }, at, NO_SHARE)
  }

  choose({ sends }) {
    const event = { type: 'pivot-end', turn: 0, pivot: 'P', level: 'neutral', choice: null }
    const choice = { cid: crypto.randomUUID(), turn: 0, walk: {}, events: [event], sends, records: [] }
    new SessionStore(this.ctx.storage).recordChoice(choice, Date.now(), NO_SHARE)
  }

  async alarm() {
    if (this.#diesAtAlarm) this.ctx.abort('died between commit and send')
    await super.alarm()
  }

  async die() {
    await this.ctx.storage.sync()
    this.ctx.abort('died on purpose')
  }

  mails() {
    return this.#mails
  }

  alarmAt() {
    return this.ctx.storage.getAlarm()
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

const app = new Hono()
  .post('/open', async (c) => {
    const id = c.env.CONVERSATIONS.newUniqueId()
    const session = id.toString()
    await c.env.CONVERSATIONS.get(id).open({ ...(await c.req.json()), session })
    return c.json({ session })
  })
  .post('/:session/:method', async (c) => {
    const { session, method } = c.req.param()
    const object = c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromString(session))
    const body = await c.req.json()
    try {
      return c.json((await object[method](body)) ?? null)
    } catch (error) {
      // If the object dies, its caller gets this error.
      return c.json({ died: String(error) }, 500)
    }
  })

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export { app as default }
