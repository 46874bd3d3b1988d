// The deployed worker with extra routes for tests ("doors") and with faults. A test can make a conversation fail before
// or after any step of `worker/steps.ts`, at the n-th time that the conversation reaches the step. The faults:
//
// - `throw`    the step throws
// - `abort`    the object dies and loses all writes that are not durable
// - `die`      the object dies after its writes have become durable
// - `hang`     the step never returns
// - `full`     the next two database writes fail as on a full disk
// - `evict`    nothing: the platform evicts only an idle object, so the test itself evicts the object afterwards
// - `hold`     the next asynchronous step never returns, so the test can kill the object during that step
// - `spin`     the whole process stands still, so the test can send SIGKILL inside a synchronous step
//
// `hold` and `spin` print a line with `fault-reached` when they strike. `hold` also sends a POST of `{session, step,
// when}` to TEST_FAULT_TOLD; `spin` can send nothing.
//
// A POST to `doors/db/<mode>` sets the mode of the chain's database for the whole process:
//
// - `up`       the database works
// - `down`     every query fails and changes nothing
// - `lost`     every query is done, but its result is lost
// - `silent`   every query waits until the mode changes
//
// A POST to `doors/begin/<before|after>` makes the next object die before or after it begins a conversation.
//
// A door sets the faults of one conversation. If the whole process is to be killed, the variable TEST_FAULT_AT =
// `<step> <before|after> <nth> <fault>` sets one fault, which strikes once in the process.
import { STEPS } from '../../worker/steps.ts'
import { beginConversation } from '../../worker/chain/runs/begin-conversation.ts'
import { ownScope } from '../../worker/chain/runs/own-scope.ts'
import { readConfig } from '../../worker/env.ts'
import { laterRows } from '../../worker/later-table.ts'
import { SessionStore } from '../../worker/session/session-store.ts'
import app, { ConversationObject as WithDoors } from './context-worker.mjs'

/**
 * The faults of each conversation, in the order in which the faults strike. The map is kept when an object dies, and
 * lost when the process ends.
 */
const armed = new Map()
/** How many of a conversation's next writes fail as on a full disk. */
const full = new Map()
let isEnvSpent = false

/** The rows that conversations have written, by statement. */
const written = new Map()
/** How many statements each object has executed. */
const executed = new Map()
/** For each object, the promise that its asynchronous steps wait for after `hold`. */
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

  // oxlint-disable-next-line typescript/no-misused-promises -- the caller is remote and awaits the result
  async begin(opening) {
    const when = deaths.shift()
    if (when === 'before') this.ctx.abort('died before it began')
    begun += 1
    await super.begin(opening)
    if (when !== 'after') return
    await this.ctx.storage.sync()
    this.ctx.abort('died when it had begun')
  }

  // oxlint-disable-next-line typescript/no-misused-promises -- the caller is remote and awaits the result
  async beginAs(copy, opening) {
    const when = deaths.shift()
    if (when === 'before') this.ctx.abort('died before it began')
    await super.beginAs(copy, opening)
    if (when !== 'after') return
    await this.ctx.storage.sync()
    this.ctx.abort('died when it had begun')
  }

  queue() {
    const { sql } = this.ctx.storage
    const [cursor] = laterRows(sql, 'SELECT last, attempts, due FROM chain_cursor')
    const [remembering] = laterRows(sql, 'SELECT due FROM remembering')
    return {
      ...cursor,
      waiting: laterRows(sql, 'SELECT count(*) AS n FROM chain_events')[0]?.n ?? 0,
      isRemembered: remembering?.due === null,
    }
  }

  alarmAt() {
    return this.ctx.storage.getAlarm()
  }

  /**
   * Sets the conversation's faults, a list of `{step, when, nth, fault}`. Each fault becomes active when the fault
   * before it has struck.
   */
  arm(faults) {
    armed.set(this.ctx.id.toString(), faults)
  }

  /**
   * Returns how many statements the object has executed in its database since the last call of this method, and the
   * size of the database in bytes.
   */
  costs() {
    const session = this.ctx.id.toString()
    const statements = executed.get(session) ?? 0
    executed.set(session, 0)
    return { statements, bytes: this.ctx.storage.sql.databaseSize }
  }

  unstruck() {
    return armed.get(this.ctx.id.toString())?.length ?? 0
  }

  /** Returns the rows of the turns, with all that a running turn has stored. */
  turns() {
    return laterRows(this.ctx.storage.sql, 'SELECT id, attempt, status, told, loop FROM turns ORDER BY id')
  }

  /**
   * Returns the rows that the conversation has written since the last call of this method, with one entry for each
   * statement.
   */
  written() {
    const own = written.get(this.ctx.id.toString()) ?? []
    return own.splice(0)
  }

  /** Changes the stored data, as a bug would. */
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

let begun = 0
/** For each of the next conversations, whether its object dies before or after it begins. */
const deaths = []

let mode = 'up'
/** Queries that wait for the end of the mode `silent`. */
const waiting = []
/**
 * The wrapper of each database. A database gets the same wrapper in every request, because `migrateChain` remembers by
 * the object which databases it has migrated.
 */
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

/** How many times the worker and its objects have asked the database. */
let asks = 0

async function reached(ask) {
  asks += 1
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

/** Makes a conversation's writes fail as on a full disk, as often as `full` says. */
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
    executed.set(session, (executed.get(session) ?? 0) + 1)
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

app.get('/doors/db-asks', (c) => c.json(asks))

/** Runs a query on the chain's database, whatever the mode is, and returns the rows. */
app.post('/doors/db', async (c) => {
  const { results } = await c.env.RELIABLE.prepare(await c.req.text()).all()
  return c.json(results)
})

/** Stores a conversation exactly as given, like the route `doors/new`, but as a conversation in a new run. */
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

/**
 * The environment with a faulty database, for each original environment. Every request gets the same object, because
 * the worker remembers by the object which settings it has read.
 */
const environments = new WeakMap()

function environmentOf(env) {
  if (!environments.has(env)) environments.set(env, { ...env, DB: unreliable(env.DB), RELIABLE: env.DB })
  return environments.get(env)
}

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export default { fetch: (request, env, ctx) => app.fetch(request, environmentOf(env), ctx) }
