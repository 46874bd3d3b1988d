// The worker as it is deployed, and one door more: when a conversation's alarm will ring.
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

export { app as default }
