// The deployed worker with a clock that a test moves: `POST /clock/<milliseconds>` says how far ahead it is.
import { app } from '../../worker/http/app.ts'

export { ErasureObject } from '../../worker/chain/people/erasure-object.ts'
export { ConversationObject } from '../../worker/session/session-object.ts'

const real = Date.now.bind(Date)
let ahead = 0
Date.now = () => real() + ahead

app.post('/clock/:ahead', (c) => {
  ahead = Number(c.req.param('ahead'))
  return c.json(Date.now())
})

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export { app as default }
