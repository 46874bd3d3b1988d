// The deployed worker, which counts what the platform bills: rows of the conversations' own databases and of D1, alarms,
// and calls of objects. `GET /usage` returns the counts since the last `GET /usage`.
import { app } from '../worker/http/app.ts'
import { ConversationObject as Deployed } from '../worker/session/session-object.ts'

let counts = {}
let d1Bytes = 0
/** The platform knows what a query has read once its rows were taken, so the cursors are asked at the end. */
let cursors = []

function count(name, by = 1) {
  counts[name] = (counts[name] ?? 0) + by
}

function patched(object, name, before) {
  const real = object[name]
  object[name] = function (...args) {
    const result = real.apply(this, args)
    before(result, args)
    return result
  }
}

/** The ids of the objects of this process. */
const objects = new Set()

let isPatched = false

function patchObject({ storage }) {
  if (isPatched) return
  isPatched = true
  patched(Object.getPrototypeOf(storage.sql), 'exec', (cursor) => cursors.push(cursor))
  // An alarm is set by writing one row.
  for (const name of ['setAlarm', 'deleteAlarm'])
    patched(Object.getPrototypeOf(storage), name, () => count('objectRowsWritten'))
}

let isDatabasePatched = false

function patchDatabase(db) {
  if (isDatabasePatched) return
  isDatabasePatched = true
  const meter = (results) =>
    [results].flat().forEach(({ meta }) => {
      count('d1Queries')
      count('d1RowsRead', meta.rows_read)
      count('d1RowsWritten', meta.rows_written)
      d1Bytes = meta.size_after
    })
  const later = (result) => void result.then(meter, () => {})
  patched(Object.getPrototypeOf(db), 'batch', (result) => {
    later(result)
    void result.then(
      (results) => results.some(({ meta }) => meta.rows_written > 0) && count('d1Batches'),
      () => {},
    )
  })
  const statement = Object.getPrototypeOf(db.prepare('SELECT 1'))
  for (const name of ['all', 'run']) patched(statement, name, later)
}

export class ConversationObject extends Deployed {
  constructor(ctx, env) {
    patchObject(ctx)
    patchDatabase(env.DB)
    super(ctx, env)
    objects.add(ctx.id.toString())
  }

  bytes() {
    return this.ctx.storage.sql.databaseSize
  }

  async begin(...args) {
    count('objectCalls')
    return super.begin(...args)
  }

  async fetch(request) {
    count('objectCalls')
    return super.fetch(request)
  }

  async webSocketMessage(...args) {
    count('framesIn')
    return super.webSocketMessage(...args)
  }

  async alarm() {
    count('objectCalls')
    return super.alarm()
  }

  async revocations() {
    count('objectCalls')
    return super.revocations()
  }

  async account() {
    count('objectCalls')
    return super.account()
  }
}

async function taken({ CONVERSATIONS }) {
  const sizes = await Promise.all([...objects].map((id) => CONVERSATIONS.get(CONVERSATIONS.idFromString(id)).bytes()))
  const usage = {
    ...counts,
    objectBytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    d1Bytes,
    objectRowsRead: cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    objectRowsWritten: (counts.objectRowsWritten ?? 0) + cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
  }
  counts = {}
  cursors = []
  return usage
}

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export default {
  async fetch(request, env, ctx) {
    patchDatabase(env.DB)
    if (new URL(request.url).pathname === '/usage') return Response.json(await taken(env))
    count('requests')
    return app.fetch(request, env, ctx)
  },
}
