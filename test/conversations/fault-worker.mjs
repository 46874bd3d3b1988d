// The worker as it is deployed, with doors, and with faults: a conversation can be made to fail at any step of
// `worker/session/steps.ts`, before or after it, the n-th time it comes there.
//
// - `throw`    the step throws
// - `abort`    the object dies, and with it whatever it has not made durable
// - `die`      it dies as soon as what it wrote until then is durable
// - `hang`     the step never comes back
// - `full`     the next two writes to the database find the disk full
// - `evict`    nothing: the platform puts no object to sleep that has work under way, and whoever tests does it after that
// - `hold`     the next step that can wait never comes back: whatever kills the object next kills it here
// - `spin`     nothing in the whole process goes on: for SIGKILL in the middle of what is one stretch
//
// `hold` and `spin` print a line with `fault-reached` when they are there. `hold` says so besides by a POST of
// `{session, step, when}` to TEST_FAULT_TOLD; `spin` can send nothing.
//
// A conversation is armed through its door, or, for a process that is about to be killed, by the variable
// TEST_FAULT_AT = `<step> <before|after> <nth> <fault>`, which strikes once in the whole process.
import { STEPS } from '../../worker/session/steps.ts'
import app, { ConversationObject as WithDoors } from './context-worker.mjs'

/** Faults by conversation, in the order in which they strike. Outlives the objects, not the process. */
const armed = new Map()
/** Conversations whose next writes find the disk full, with how many of them. */
const full = new Map()
let isEnvSpent = false

/** Rows that conversations have written, by their statements. */
const written = new Map()
/** What an object's next steps wait for. */
const held = new WeakMap()

export class ConversationObject extends WithDoors {
  constructor(ctx, env) {
    fillDisk(ctx)
    super(ctx, env)
  }

  /** `faults`: a list of `{step, when, nth, fault}`; each waits until the one before it has struck. */
  arm(faults) {
    armed.set(this.ctx.id.toString(), faults)
  }

  /** How many faults have not struck. */
  unstruck() {
    return armed.get(this.ctx.id.toString())?.length ?? 0
  }

  /** What a turn has written until now: its row. */
  turns() {
    return this.ctx.storage.sql.exec('SELECT id, attempt, status, told, loop FROM turns ORDER BY id').toArray()
  }

  /** What was written since this was last asked, a row for each statement. */
  written() {
    const own = written.get(this.ctx.id.toString()) ?? []
    return own.splice(0)
  }

  /** Changes what is stored, as a defect would. */
  spoil(query) {
    this.ctx.storage.sql.exec(query)
  }

  probe(step, when) {
    const at = { session: this.ctx.id.toString(), step, when }
    const isAsync = STEPS.some(({ name, kind }) => name === step && kind === 'async')
    if (held.has(this) && isAsync) return held.get(this)
    const fault = strikes(at.session, step, when, this.env)
    if (fault) return strike(this, this.ctx, this.env, fault, at, isAsync)
  }
}

function strike(object, ctx, env, fault, at, isAsync) {
  switch (fault) {
    case 'throw':
      throw new Error(`a fault at ${at.step}`)
    case 'abort':
      return ctx.abort(`a fault at ${at.step}`)
    case 'die': {
      const died = ctx.storage.sync().then(() => ctx.abort(`a fault at ${at.step}`))
      if (isAsync) return died
      ctx.waitUntil(died)
      throw new Error(`a fault at ${at.step}`)
    }
    case 'hang':
      return forever()
    case 'full':
      full.set(at.session, 2)
      return
    case 'evict':
      return
    case 'hold':
      console.log(JSON.stringify({ event: 'fault-reached', ...at }))
      held.set(object, tell(env, at).then(forever))
      return isAsync ? held.get(object) : undefined
    case 'spin':
      console.log(JSON.stringify({ event: 'fault-reached', ...at }))
      for (;;);
  }
}

function strikes(session, step, when, env) {
  const faults = armed.get(session) ?? []
  const [next] = faults
  if (next && next.step === step && next.when === when && --next.nth <= 0) {
    faults.shift()
    return next.fault
  }
  return isEnvSpent ? null : strikesByEnv(step, when, env)
}

let visits = 0
function strikesByEnv(step, when, { TEST_FAULT_AT = '' }) {
  const [ofStep, ofWhen, nth, fault] = TEST_FAULT_AT.split(' ')
  if (ofStep !== step || ofWhen !== when || ++visits < Number(nth)) return null
  isEnvSpent = true
  return fault
}

/** Lets writes fail as they do on a full disk, whenever the conversation is marked for it. */
function fillDisk(ctx) {
  const { sql } = ctx.storage
  const exec = sql.exec.bind(sql)
  const session = ctx.id.toString()
  sql.exec = (query, ...bindings) => {
    const left = full.get(session) ?? 0
    if (left > 0 && /^\s*(INSERT|UPDATE|DELETE)/i.test(query)) {
      full.set(session, left - 1)
      throw new Error('database or disk is full: SQLITE_FULL')
    }
    const cursor = exec(query, ...bindings)
    const own = written.get(session) ?? written.set(session, []).get(session)
    if (cursor.rowsWritten > 0)
      own.push({ table: query.match(/(?:INTO|UPDATE|FROM)\s+(\w+)/i)?.[1], rows: cursor.rowsWritten })
    return cursor
  }
}

async function tell({ TEST_FAULT_TOLD }, at) {
  if (TEST_FAULT_TOLD) await fetch(TEST_FAULT_TOLD, { method: 'POST', body: JSON.stringify(at) })
}

function forever() {
  return new Promise(() => {})
}

app.post('/doors/:session/arm', async (c) => {
  const object = c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromString(c.req.param('session')))
  await object.arm(await c.req.json())
  return c.json(null)
})

app.post('/doors/:session/spoil', async (c) => {
  const object = c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromString(c.req.param('session')))
  await object.spoil(await c.req.text())
  return c.json(null)
})

// oxlint-disable-next-line import/no-default-export -- the runtime asks for it
export { app as default }
