// The deployed worker with two extra routes for tests: one returns the time of a conversation's next alarm, the other
// calls `begin` a second time.
import { builtScenarios } from '../../build/catalogue.ts'
import { app } from '../../worker/http/app.ts'
import { ConversationObject as Deployed } from '../../worker/session/session-object.ts'

export class ConversationObject extends Deployed {
  alarmAt() {
    return this.ctx.storage.getAlarm()
  }
}

app.get('/alarm/:session', async (c) => {
  const id = c.env.CONVERSATIONS.idFromString(c.req.param('session'))
  return c.json(await c.env.CONVERSATIONS.get(id).alarmAt())
})

app.post('/begin-again/:session', async (c) => {
  const session = c.req.param('session')
  const object = c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromString(session))
  await object.begin({ session, epoch: 'another', content: builtScenarios[0].hash, npc: 'marcus' })
  return c.body(null, 204)
})

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export { app as default }
