// The deployed worker with extra routes for tests, which return the time of a conversation's next alarm, make the sockets
// look older, and run the alarm.
import { app } from '../../worker/http/app.ts'
import { ConversationObject as Deployed } from '../../worker/session/session-object.ts'

const TIMES = ['connectedAt', 'idleSince', 'lastPingAt']

export class ConversationObject extends Deployed {
  alarmAt() {
    return this.ctx.storage.getAlarm()
  }

  /** Moves all recorded times of the sockets back by `ms` milliseconds, for the object's next instance. */
  age(ms) {
    for (const ws of this.ctx.getWebSockets()) {
      const record = ws.deserializeAttachment()
      const earlier = TIMES.filter((name) => record[name] !== null).map((name) => [name, record[name] - ms])
      ws.serializeAttachment({ ...record, ...Object.fromEntries(earlier) })
    }
  }
}

function objectOf(c) {
  return c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromString(c.req.param('session')))
}

app.get('/alarm/:session', async (c) => c.json(await objectOf(c).alarmAt()))

app.post('/age/:session/:ms', async (c) => {
  await objectOf(c).age(Number(c.req.param('ms')))
  return c.body(null, 204)
})

app.post('/ring/:session', async (c) => {
  await objectOf(c).alarm()
  return c.body(null, 204)
})

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export { app as default }
