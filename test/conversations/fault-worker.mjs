// The worker as it is deployed, with doors, and with faults: a conversation can be made to fail at any step of
// `worker/steps.ts`, before or after it, the n-th time it comes there.
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
// The chain's database can be made to fail too, for the whole process, by a POST to `doors/db/<mode>`:
//
// - `up`       it works
// - `down`     whatever is asked of it fails, and nothing is done
// - `lost`     a transaction is done, and the answer is lost
// - `silent`   it is not even asked until the mode is another
//
// Whoever begins next can be made to die of it, by a POST to `doors/begin/<before|after>`.
//
// A conversation is armed through its door, or, for a process that is about to be killed, by the variable
// TEST_FAULT_AT = `<step> <before|after> <nth> <fault>`, which strikes once in the whole process.
import { STEPS } from '../../worker/steps.ts'
import { beginConversation } from '../../worker/chain/runs/begin-conversation.ts'
import { ownScope } from '../../worker/chain/runs/own-scope.ts'
import { readConfig } from '../../worker/env.ts'
import { SessionStore } from '../../worker/session/session-store.ts'
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
    super(ctx, { ...env, DB: unreliable(env.DB) })
  }

  putInRun(old) {
    this.put(old)
    new SessionStore(this.ctx.storage).chain.begin()
  }

  // oxlint-disable-next-line typescript/no-misused-promises -- whoever calls it calls from elsewhere, and waits
  async begin(opening) {
    const when = deaths.shift()
    if (when === 'before') this.ctx.abort('died before it began')
    begun += 1
    super.begin(opening)
    if (when !== 'after') return
    await this.ctx.storage.sync()
    this.ctx.abort('died when it had begun')
  }

  // oxlint-disable-next-line typescript/no-misused-promises -- whoever calls it calls from elsewhere, and waits
  async beginAs(copy, opening) {
    const when = deaths.shift()
    if (when === 'before') this.ctx.abort('died before it began')
    super.beginAs(copy, opening)
    if (when !== 'after') return
    await this.ctx.storage.sync()
    this.ctx.abort('died when it had begun')
  }

  /** What of it waits for the chain. */
  queue() {
    const { sql } = this.ctx.storage
    const [cursor] = sql.exec('SELECT last, attempts, due FROM chain_cursor').toArray()
    const [remembering] = sql.exec('SELECT due FROM remembering').toArray()
    return {
      ...cursor,
      waiting: sql.exec('SELECT count(*) AS n FROM chain_events').one().n,
      isRemembered: remembering?.due === null,
    }
  }

  /** When its alarm will ring. */
  alarmAt() {
    return this.ctx.storage.getAlarm()
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

/** Conversations that were begun. */
let begun = 0
/** When those die that begin next: before it, or after. */
const deaths = []

let mode = 'up'
/** Those who wait for the mode to be another. */
const waiting = []
/** One for each database, since whoever has brought its tables up to date knows it by itself. */
const unreliables = new WeakMap()

function unreliable(db) {
  if (!unreliables.has(db)) unreliables.set(db, new Proxy(db, { get: (_, name) => faulty(db, name) }))
  return unreliables.get(db)
}

function faulty(db, name) {
  if (name === 'batch') return (statements) => reached(() => db.batch(statements.map((each) => each.inner ?? each)))
  if (name === 'prepare') return (query) => faultyStatement(db.prepare(query))
  return db[name].bind(db)
}

function faultyStatement(inner) {
  const ask =
    (name) =>
    (...asked) =>
      reached(() => inner[name](...asked))
  return {
    inner,
    bind: (...values) => faultyStatement(inner.bind(...values)),
    all: ask('all'),
    first: ask('first'),
    run: ask('run'),
  }
}

async function reached(ask) {
  while (mode === 'silent') await new Promise((resolve) => waiting.push(resolve))
  if (mode === 'down') throw new Error('D1_ERROR: a fault of the database')
  const answer = await ask()
  if (mode === 'lost') throw new Error('D1_ERROR: the answer was lost')
  return answer
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

app.post('/doors/db/:mode', (c) => {
  mode = c.req.param('mode')
  for (const resolve of waiting.splice(0)) resolve()
  return c.json(null)
})

app.post('/doors/begin/:when', (c) => {
  deaths.push(c.req.param('when'))
  return c.json(null)
})

app.get('/doors/begun', (c) => c.json(begun))

/** Rows of the chain's database, whatever its mode. */
app.post('/doors/db', async (c) => {
  const { results } = await c.env.RELIABLE.prepare(await c.req.text()).all()
  return c.json(results)
})

/** As `doors/new`, as part of a run. */
app.post('/doors/new-in-run', async (c) => {
  const id = c.env.CONVERSATIONS.newUniqueId()
  const session = id.toString()
  const { info, ...rest } = await c.req.json()
  const scope = await ownScope(c.env, readConfig({ ...c.env }).trust)
  const npc = info.scenario.npcs.find((each) => each.id === info.npc)
  const { scenario, learner } = info
  const { place } = await beginConversation(scope, { session, scenario, npc, learner, run: null })
  await c.env.CONVERSATIONS.get(id).putInRun({ info: JSON.stringify({ ...info, session, run: place }), ...rest })
  return c.json({ session })
})

app.post('/doors/:session/spoil', async (c) => {
  const object = c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromString(c.req.param('session')))
  await object.spoil(await c.req.text())
  return c.json(null)
})

/** The same for every request: whoever reads the settings knows them by it. */
const environments = new WeakMap()

function environmentOf(env) {
  if (!environments.has(env)) environments.set(env, { ...env, DB: unreliable(env.DB), RELIABLE: env.DB })
  return environments.get(env)
}

// oxlint-disable-next-line import/no-default-export -- the runtime asks for it
export default { fetch: (request, env, ctx) => app.fetch(request, environmentOf(env), ctx) }
