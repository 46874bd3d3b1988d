import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { vacuumFolder } from '../../scripts/vacuum.ts'
import { type ChainClient, ChainClientError } from '../../worker/chain/client/chain-client.ts'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import { admission, passage } from '../support/credentials.ts'
import { event } from '../support/completion-stream.ts'
import { KillableServer } from '../support/killable-server.ts'
import { MarkedModel } from '../support/marked-model.ts'
import { startModelServer } from '../support/model-server.ts'
import { hang, head, send } from '../support/model-steps.ts'
import { chainOf, ERASURE_CONFIG, identityOf, PEOPLE_VARS } from '../support/people-server.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { connectClient } from '../support/socket-client.ts'
import { type Found, searchBytes, searchStorage } from '../support/storage-search.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

// Learners talk. The tests erase one learner in the middle of a reply, while every object that takes part in the
// erasure dies.

const VICTIM = 'victim-quokka'
const OTHER = 'other-wombat'

let model: MarkedModel
let server: KillableServer
let chain: ChainClient

function begin(user: string, npc = 'maya'): Promise<string> {
  return openSession(server, { scenario: 'launch-decision', npc, identity: identityOf(user) })
}

async function talk(session: string, ...texts: readonly string[]): Promise<Player> {
  const player = await Player.join(server, session)
  for (const text of texts) await player.say(text)
  return player
}

/** Returns what a test route ("door") of the worker returns about a conversation's object. */
async function shown(session: string, door: string): Promise<unknown> {
  return (await server.fetch(`doors/${session}/${door}`)).json()
}

/**
 * Resolves when no event of a conversation is waiting for the chain. After that, the conversation's data does not
 * change by itself.
 */
async function brought(session: string): Promise<void> {
  const waiting = async () => ((await shown(session, 'everything')) as { chain_events: unknown }).chain_events
  await expect.poll(waiting, { timeout: 60_000 }).toEqual([])
}

/** Repeats a request as long as the error tells the client to retry. */
async function retried<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ChainClientError) || error.next !== 'retry-after') throw error
    }
  }
}

async function erased(id: string) {
  await expect.poll(async () => (await chain.getErasure({ erasure: id })).status, { timeout: 240_000 }).toBe('done')
  return chain.getErasure({ erasure: id })
}

const inRows = (found: readonly Found[]) => found.filter(({ table }) => table !== null)

/** Returns the server's answer to a client that reconnects to a conversation. */
async function toldAt(session: string): Promise<unknown> {
  const client = connectClient(new URL('socket.io/', server.url), {
    query: { ...passage(session), hb: '1' },
    auth: { v: WIRE_VERSION, ...admission(session) },
    reconnection: false,
  })
  const refusal = await new Promise((resolve) => client.socket.once('connect_error', resolve))
  client.stop()
  return (refusal as { data?: unknown }).data
}

describe.runIf(process.platform === 'linux' && IS_LONG)('a person who is erased', { timeout: 480_000 }, () => {
  beforeAll(async () => {
    model = await MarkedModel.start(0)
    server = await KillableServer.start(ERASURE_CONFIG, { ...model.vars, ...PEOPLE_VARS, TEST_DIES: 'true' })
    chain = chainOf(server)
  })
  afterAll(async () => {
    await server.stop()
    await model.stop()
  })

  it('[person-1] [person-3] [person-5] [person-6] [person-7] [person-8] [person-14] is gone from every file, whatever died meanwhile, and other people’s data has not changed', async () => {
    const other = await begin(OTHER)
    ;(await talk(other, 'I am mark-wombat-1.', 'Again mark-wombat-2.')).leave()
    await brought(other)
    const first = await begin(VICTIM)
    ;(await talk(first, 'I am mark-quokka-1.')).leave()
    const second = await begin(VICTIM, 'marcus')
    const player = await talk(second, 'Hello mark-quokka-2.')
    const theirs = await chain.createContext({
      purpose: 'ask quokka',
      memorySpaceId: 'team',
      userId: VICTIM,
      conversationRef: { conversationId: first },
    })
    const under = await chain.createContext({
      purpose: 'answer wombat',
      memorySpaceId: 'team',
      userId: OTHER,
      parentId: theirs.id,
      conversationRef: { conversationId: second },
    })
    await chain.updateContext({ context: under.id, data: { wombat: 1 }, by: VICTIM })
    await chain.storeMemory({ memorySpaceId: 'team', content: 'quokka likes leaves', userId: VICTIM })
    await chain.putFact({ user: VICTIM, key: 'food', value: 'quokka leaves', source: 'tests' })
    // Starts a reply that does not end before the erasure.
    model.paceMs = 30_000
    const asked = model.said.length + 1
    const say = player.emit('say', { cid: newCid(), text: 'Go on mark-quokka-3.' })
    await say
    await model.asked(asked)

    const learner = ((await shown(first, 'info')) as { learner: { id: string } }).learner
    const { sessions } = await chain.getPerson({ user: VICTIM })
    expect(sessions.map(({ session }) => session).toSorted()).toEqual([first, second].toSorted())
    const foreseen = await chain.erasePerson({ user: VICTIM, dryRun: true })
    expect(foreseen).toMatchObject({ erasure: null, effect: { sessions: 2, ledgers: 1, facts: 1 } })
    const before = await shown(other, 'everything')
    expect(await searchStorage(server.state, ['mark-quokka-1'])).not.toEqual([])

    const cut = new Promise((resolve) => player.client.socket.once('disconnect', resolve))
    const { erasure } = await retried(() => chain.erasePerson({ user: VICTIM }))
    if (!erasure) throw new Error('nothing was begun')
    await expect(chain.putFact({ user: VICTIM, key: 'food', value: 'new', source: 'tests' })).rejects.toMatchObject({
      code: 'ERASURE_RUNNING',
    })
    await cut
    player.leave()
    const done = await erased(erasure.id)

    expect(done.effect).toEqual(foreseen.effect)
    expect(done.effect.contexts).toMatchObject({ reparented: 0, promoted: 1, scrubbed: 1 })
    const deaths = (await (await server.fetch('doors/deaths')).json()) as string[]
    for (const step of [
      'begin',
      'conversations',
      'count-ledgers',
      'ledgers',
      'memories',
      'facts',
      'contexts',
      'names',
      'sessions',
      'close',
      'conversation',
    ])
      for (const when of ['before', 'after']) expect(deaths).toContain(`${step} ${when}`)

    expect(await toldAt(second)).toMatchObject({ code: 'unknown-session', next: 'start-over' })
    expect(await shown(second, 'transcript')).toBeNull()
    expect(await shown(other, 'everything')).toEqual(before)
    expect(await chain.getContext({ context: under.id })).toMatchObject({
      context: {
        parentId: null,
        rootId: under.id,
        depth: 0,
        conversationRef: null,
        updatedBy: 'erased',
        userId: OTHER,
      },
    })

    const again = await chain.erasePerson({ user: VICTIM })
    expect((await erased(again.erasure?.id ?? '')).effect).toEqual({
      sessions: 0,
      ledgers: 0,
      contexts: { deleted: 0, reparented: 0, promoted: 0, scrubbed: 0 },
      memories: 0,
      facts: 0,
    })

    // An object that died while it received an erasure request restarts, finds the request stored, and erases.
    await expect
      .poll(() => searchStorage(server.state, ['quokka', learner.id]).then(inRows), {
        timeout: 60_000,
        interval: 500,
      })
      .toEqual([])
    await server.kill()
    const found = await searchStorage(server.state, ['quokka', learner.id, 'wombat'])
    const left = found.filter(({ text }) => text !== 'wombat')
    expect(inRows(left)).toEqual([])
    expect(inRows(found)).not.toEqual([])
    // In the database files of the objects, not even an unused part contains the victim's texts.
    expect(left.filter(({ file }) => !file.includes('d1'))).toEqual([])
    expect(await searchBytes(server.state, ['quokka'])).not.toEqual([])

    await vacuumFolder(server.state)
    expect(await searchBytes(server.state, ['quokka', learner.id])).toEqual([])
    await server.resume()
    expect(await shown(other, 'everything')).toEqual(before)
    expect(await chain.listContexts({ q: 'wombat' })).toMatchObject({ items: [{ id: under.id }] })
  })

  it('[person-14] refuses to rewrite a file that a running server has open', async () => {
    await chain.getPerson({ user: OTHER })
    await expect(vacuumFolder(server.state)).rejects.toThrow(/\.sqlite was not rewritten: .* Stop the server/)
    expect((await chain.getPerson({ user: OTHER })).counts).toMatchObject({ sessions: 1, contexts: 3 })
  })
})

describe('a conversation that was erased', { timeout: 120_000 }, () => {
  let quick: WorkerServer

  beforeAll(async () => {
    quick = await startWorkerServer({
      configPath: ERASURE_CONFIG,
      vars: { ...PEOPLE_VARS, WALKON_REHEARSAL_PACE_MS: '0', WALKON_RETENTION_DAYS: '30' },
    })
  })
  afterAll(() => quick.stop())

  const PATIENT = { timeout: 60_000 }
  const ask = async (session: string, door: string) => (await quick.fetch(`doors/${session}/${door}`)).json()

  async function talked(user: string): Promise<string> {
    const session = await openSession(quick, { scenario: 'launch-decision', npc: 'maya', identity: identityOf(user) })
    const player = await Player.join(quick, session)
    await player.say('Hello.')
    player.leave()
    return session
  }

  async function isErased(user: string) {
    const own = chainOf(quick)
    const { erasure } = await own.erasePerson({ user })
    await expect.poll(async () => (await own.getErasure({ erasure: erasure?.id ?? '' })).status, PATIENT).toBe('done')
    return erasure?.id ?? ''
  }

  it.runIf(IS_LONG)('[person-6] cannot be begun again, by this instance of its object or by another', async () => {
    const session = await talked('late-quokka')
    const info = (await ask(session, 'info')) as object
    await isErased('late-quokka')
    const body = JSON.stringify({ ...info, documents: [] })
    for (const again of ['at once', 'after a sleep']) {
      await quick.fetch(`doors/${session}/begin`, { method: 'POST', body })
      expect(await ask(session, 'transcript'), again).toBeNull()
      // The object reads the table `session` only at its next start, and this table has no row either.
      expect(await ask(session, 'everything'), again).not.toMatchObject({ session: [expect.anything()] })
      await quick.evict({ className: 'ConversationObject', id: session }, 'close')
      expect(await ask(session, 'everything'), again).toEqual({ schema: [{ version: -1 }] })
      // A decision or a debrief may still call these methods during the erasure.
      for (const asked of ['flush', 'account', 'revocations']) expect(await ask(session, asked)).toBeNull()
    }
  })

  it('[person-5] lets its learner start over', async () => {
    await talked('anew')
    await isErased('anew')
    const own = chainOf(quick)
    expect((await own.getPerson({ user: 'anew' })).counts).toEqual({
      sessions: 0,
      contexts: 0,
      memories: 0,
      facts: 0,
      grants: 0,
    })
    const session = await talked('anew')
    expect((await own.getPerson({ user: 'anew' })).sessions.map((each) => each.session)).toEqual([session])
    expect(await ask(session, 'info')).toMatchObject({ person: 'new' })
  })

  it('[person-11] is erased automatically when it was not used for long', async () => {
    const session = await talked('absent')
    const own = chainOf(quick)
    // The chain's record of a session's last use may be a day old, so retention keeps the session for a day longer.
    await quick.fetch(`doors/retention?later=${30.9 * 86_400_000}`, { method: 'POST' })
    expect((await own.getPerson({ user: 'absent' })).counts).toMatchObject({ sessions: 1 })
    await quick.fetch(`doors/retention?later=${32 * 86_400_000}`, { method: 'POST' })
    await expect(own.getPerson({ user: 'absent' })).rejects.toMatchObject({ code: 'PERSON_NOT_FOUND' })
    expect(await ask(session, 'transcript')).toBeNull()
  })

  it.runIf(IS_LONG)('[person-2] keeps the data of a colleague with the same name as its learner', async () => {
    const own = chainOf(quick)
    await talked('namesake')
    const of = async () => {
      const { exportedAt: _, ...known } = await own.exportPerson({ user: 'namesake' })
      return known
    }
    // The chain gets the messages a moment later.
    await expect.poll(async () => (await of()).contexts.map(({ version }) => version), PATIENT).toEqual([1, 2])
    const before = await of()
    expect(before.contexts.map(({ memorySpaceId, updatedBy }) => [memorySpaceId, updatedBy])).toEqual([
      ['run', 'walkon'],
      ['maya', 'walkon'],
    ])
    for (const user of ['maya', 'run', 'walkon']) {
      await talked(user)
      await isErased(user)
    }
    expect(await of()).toEqual(before)
  })

  it('[person-8] leaves no trace of the person in the object that ran the erasure', async () => {
    const own = chainOf(quick)
    const { erasure } = await own.erasePerson({ user: 'forgotten' })
    const eraser = { className: 'ErasureObject', name: erasure?.id ?? '' }
    const tables = () => quick.sql(eraser, "SELECT name FROM sqlite_master WHERE name GLOB '_cf_KV*'")
    await expect.poll(async () => (await own.getErasure({ erasure: eraser.name })).status, PATIENT).toBe('done')
    await expect.poll(tables, PATIENT).toEqual([])
  })

  it('[person-8] is not named in the log, and neither is its learner', async () => {
    const session = await talked('logged-quokka')
    const { learner } = (await ask(session, 'info')) as { learner: { id: string } }
    const erasure = await isErased('logged-quokka')
    const isLogged = (line: string) => line.includes('"event":"erasure-done"') && line.includes(erasure)
    await expect.poll(() => quick.logs().some(isLogged), PATIENT).toBe(true)
    const lines = quick.logs().join('\n')
    for (const theirs of ['quokka', learner.id, 'Hello.']) expect(lines).not.toContain(theirs)
  })
})

it('[person-6] closes its connections when it is erased in the middle of a reply', async () => {
  const speaker = await startModelServer(() => [head(), send(event({ content: 'The report says '.repeat(10) })), hang])
  const vars = { ...PEOPLE_VARS, OPENAI_BASE_URL: speaker.url, OPENAI_MODEL: 'walkon-test' }
  const own = await startWorkerServer({ configPath: ERASURE_CONFIG, vars })
  try {
    const identity = identityOf('cut-quokka')
    const session = await openSession(own, { scenario: 'launch-decision', npc: 'maya', identity })
    const player = await Player.join(own, session)
    await player.emit('say', { cid: newCid(), text: 'Go on.' })
    await player.until(() => player.deltas.find((delta) => delta.turn === 1))
    const cut = new Promise((resolve) => player.client.socket.once('disconnect', resolve))
    await chainOf(own).erasePerson({ user: 'cut-quokka' })
    await cut
    player.leave()
  } finally {
    await own.stop()
    await speaker.close()
  }
}, 120_000)
