// The deployed worker with extra routes for tests ("doors"). They return how many objects were woken, the learner of a
// conversation, and how many requests a conversation's object has had.
import { app } from '../../../worker/http/app.ts'
import { ConversationObject as Deployed } from '../../../worker/session/session-object.ts'
import { SessionStore } from '../../../worker/session/session-store.ts'

const woken = new Set()

export class ConversationObject extends Deployed {
  #asked = 0

  constructor(ctx, env) {
    super(ctx, env)
    woken.add(ctx.id.toString())
  }

  fetch(request) {
    const answer = super.fetch(request)
    this.#asked += 1
    return answer
  }

  asked() {
    return this.#asked
  }

  learner() {
    return new SessionStore(this.ctx.storage).info()?.learner ?? null
  }
}

app.get('/doors/woken', (c) => c.json(woken.size))

app.get('/doors/new', (c) => c.json(c.env.CONVERSATIONS.newUniqueId().toString()))

app.get('/doors/:session/learner', async (c) => {
  const id = c.env.CONVERSATIONS.idFromString(c.req.param('session'))
  return c.json(await c.env.CONVERSATIONS.get(id).learner())
})

app.get('/doors/:session/asked', async (c) => {
  const id = c.env.CONVERSATIONS.idFromString(c.req.param('session'))
  return c.json(await c.env.CONVERSATIONS.get(id).asked())
})

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export { app as default }
