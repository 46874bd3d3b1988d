import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { builtScenarios } from '../../build/catalogue.ts'
import { admission, passage } from '../support/credentials.ts'
import { door } from '../support/doors.ts'
import { openSession, Player } from '../support/player.ts'
import { SharedServer } from '../support/shared.ts'
import { connectClient } from '../support/socket-client.ts'
import { simsFile, TempDeployment } from '../support/temp-deployment.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { WIRE_VERSION } from '../../worker/wire/version.ts'

const players: Player[] = []
afterEach(() => {
  for (const player of players.splice(0)) player.leave()
})

async function join(server: WorkerServer, session: string): Promise<Player> {
  const player = await Player.join(server, session)
  players.push(player)
  return player
}

/** Returns the data with which a client's CONNECT is refused. */
async function refusalOf(server: WorkerServer, session: string): Promise<unknown> {
  const client = connectClient(new URL('socket.io/', server.url), {
    query: { ...passage(session), hb: '1' },
    auth: { v: WIRE_VERSION, ...admission(session) },
    reconnection: false,
  })
  const refused = await new Promise((resolve) => {
    client.socket.on('connect_error', (error: Error & { data?: unknown }) => resolve(error.data))
    client.socket.on('hello', () => resolve('admitted'))
  })
  client.stop()
  return refused
}

const ask = async (server: WorkerServer, where: string): Promise<unknown> => (await server.fetch(where)).json()

describe('what a conversation costs', () => {
  let server: WorkerServer

  beforeAll(async () => {
    server = await startWorkerServer({
      configPath: 'test/conversations/fault-worker.toml',
      vars: { WALKON_REHEARSAL_PACE_MS: '0' },
    })
  })
  afterAll(() => server.stop())

  const costs = async (session: string) =>
    (await ask(server, `doors/${session}/costs`)) as { statements: number; bytes: number }

  it('[version-24] at rest: at most 30,000 bytes, and a few pages more after a turn', async () => {
    const session = await openSession(server, { scenario: 'launch-decision', npc: 'maya' })
    const fresh = await costs(session)
    expect(fresh.bytes).toBeLessThanOrEqual(30_000)
    const player = await join(server, session)
    await player.say('What did run 47 show?')
    const { bytes } = await costs(session)
    expect(bytes).toBeLessThanOrEqual(60_000)
    await player.say('And what was the cost?')
    expect((await costs(session)).bytes - bytes).toBeLessThanOrEqual(20_000)
  })

  it('[version-24] to begin: a handful of statements in the object, and one transaction in the database', async () => {
    const scenario = { scenario: 'launch-decision', npc: 'maya' }
    // The first conversations of the isolate read the scenario and keep its contents: the seed chooses one of three graphs.
    for (let n = 0; n < 12; n += 1) await openSession(server, scenario)
    const before = (await ask(server, 'doors/db-asks')) as number
    const sessions: string[] = []
    for (let n = 0; n < 5; n += 1) sessions.push(await openSession(server, scenario))
    const asked = ((await ask(server, 'doors/db-asks')) as number) - before
    // The list of versions is read again when it is five seconds old.
    expect(asked).toBeGreaterThanOrEqual(5)
    expect(asked).toBeLessThanOrEqual(6)
    for (const session of sessions) expect((await costs(session)).statements).toBeLessThanOrEqual(6)
  })

  it('[version-19] stores the hashes of its contents, and the database has each content once', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 4 }, () => openSession(server, { scenario: 'one-to-one', npc: 'tove' })),
    )
    const stored = await Promise.all(
      sessions.map(
        async (session) =>
          (
            (await server.sql({ className: 'ConversationObject', id: session }, 'SELECT info FROM session')) as {
              info: string
            }[]
          )[0]?.info ?? '',
      ),
    )
    const pins = stored.map((info) => (JSON.parse(info) as { pins: { scenario: string; graph: string } }).pins)
    expect(new Set(pins.map(({ scenario }) => scenario))).toEqual(
      new Set([builtScenarios.find(({ id }) => id === 'one-to-one')?.hash]),
    )
    expect(new Set(pins.map(({ graph }) => graph)).size).toBe(1)
    expect(Math.max(...stored.map((info) => info.length))).toBeLessThan(1_500)
    const database = await server.database()
    for (const hash of Object.values(pins[0] ?? {})) {
      const sql = 'SELECT count(*) AS n FROM scenario_bodies WHERE hash = ?1'
      expect((await database.prepare(sql).bind(hash).all<{ n: number }>()).results).toEqual([{ n: 1 }])
    }
  })

  it('[version-23] a wake reads nothing from the database, and neither does a message to the deployed version', async () => {
    const session = await openSession(server, { scenario: 'one-to-one', npc: 'tove' })
    await server.evict({ className: 'ConversationObject', id: session })
    await server.fetch('doors/db/down', { method: 'POST' })
    try {
      const player = await join(server, session)
      expect((await player.say('Hello there.')).outcome).toBe('complete')
    } finally {
      await server.fetch('doors/db/up', { method: 'POST' })
    }
  })

  it('[publish-10] nobody gets a scenario from outside', async () => {
    const deployed = await SharedServer.open('plain')
    for (const { hash } of builtScenarios)
      for (const where of [`worker-only/${hash}.json`, `worker-only/${hash}`, `worker-only/%2e/${hash}.json`])
        expect([where, (await deployed.fetch(where)).status]).toEqual([where, 404])
  })
})

describe('contents outlive the build', { timeout: 120_000 }, () => {
  const FILES = ['graphs/week-three@1.yaml', 'graphs/steady@1.yaml', 'week-three/scenario.yaml'] as const
  let deployment: TempDeployment
  let server: WorkerServer
  let first: Record<string, string>

  beforeAll(async () => {
    first = Object.fromEntries(await Promise.all(FILES.map(async (file) => [file, await simsFile(file)] as const)))
    deployment = await TempDeployment.create()
    await deployment.build(first)
    server = await startWorkerServer({
      configPath: path.join(path.dirname(deployment.configPath), 'fault-worker.toml'),
      vars: { WALKON_REHEARSAL_PACE_MS: '0' },
    })
  })
  beforeEach(() => deploy(first))
  afterAll(async () => {
    await server.stop()
    await deployment.remove()
  })

  async function deploy(files: Record<string, string>): Promise<void> {
    await deployment.build(files)
    await server.redeploy()
  }

  /** Returns the files with other content: the colleague's greeting and every state's objective differ. */
  const changed = (): Record<string, string> =>
    Object.fromEntries(
      Object.entries(first).map(([file, text]) => [
        file,
        text
          .replace(/^title: .*$/m, 'title: Another title')
          .replace(/^( *)(objective|description): (.*)$/gm, '$1$2: $3'),
      ]),
    )

  async function begun(): Promise<string> {
    const session = await openSession(server, { scenario: 'week-three' })
    const player = await Player.join(server, session)
    await player.say("Sure, let's begin.")
    player.leave()
    return session
  }

  it('[version-20] a conversation goes on with its own scenario and graph, which the newer build does not have', async () => {
    const session = await begun()
    const before = await door(server, session, 'info')
    await deploy(changed())
    const player = await join(server, session)
    expect((await player.say('Work is good, nothing is unclear.')).outcome).toBe('complete')
    const after = await door(server, session, 'info')
    expect(after).toEqual(before)
    expect(JSON.stringify(after.graph)).toBe(JSON.stringify(before.graph))
    expect(after.scenario.title).not.toBe('Another title')
    const newer = await openSession(server, { scenario: 'week-three' })
    await join(server, newer)
    expect((await door(server, newer, 'info')).scenario.title).toBe('Another title')
  })

  it('[version-22] the same build needs no database: the graph is made again from the scenario', async () => {
    const session = await begun()
    const before = await door(server, session, 'info')
    await server.redeploy()
    await server.fetch('doors/db/down', { method: 'POST' })
    const player = await join(server, session)
    expect(player.hello.events.some((event) => event.type === 'turn')).toBe(true)
    expect(await door(server, session, 'info')).toEqual(before)
  })

  it('[version-21] if the database is down, clients are told to come back, and nothing is lost', async () => {
    const session = await begun()
    await deploy(changed())
    await server.fetch('doors/db/down', { method: 'POST' })
    expect(await refusalOf(server, session)).toMatchObject({ code: 'unavailable', next: 'retry-after' })
    expect(server.logs().some((line) => line.includes('content-not-loaded') && line.includes(session))).toBe(true)
    await server.fetch('doors/db/up', { method: 'POST' })
    const player = await join(server, session)
    expect(player.hello.events.some((event) => event.type === 'turn')).toBe(true)
    expect((await player.say('Work is good, nothing is unclear.')).outcome).toBe('complete')
  })

  it('[version-21] if a content is gone, the log has its hash, and clients are told to start over', async () => {
    const session = await begun()
    const hash = await scenarioOf(session)
    await deploy(changed())
    const database = await server.database()
    const sql = 'SELECT body FROM scenario_bodies WHERE hash = ?1'
    const { results } = await database.prepare(sql).bind(hash).all<{ body: string }>()
    await database.prepare('UPDATE scenario_bodies SET body = ?2 WHERE hash = ?1').bind(hash, '{}').all()
    expect(await refusalOf(server, session)).toMatchObject({ code: 'unknown-session', next: 'start-over' })
    expect(server.logs().some((line) => line.includes('content-gone') && line.includes(hash))).toBe(true)
    // Nothing was deleted: with its content, the conversation is there again.
    await database
      .prepare('UPDATE scenario_bodies SET body = ?2 WHERE hash = ?1')
      .bind(hash, results[0]?.body ?? '')
      .all()
    const player = await join(server, session)
    expect((await player.say('Work is good, nothing is unclear.')).outcome).toBe('complete')
  })

  const scenarioOf = async (session: string): Promise<string> => {
    const sql = 'SELECT info FROM session'
    const rows = (await server.sql({ className: 'ConversationObject', id: session }, sql)) as { info: string }[]
    return (JSON.parse(rows[0]?.info ?? '') as { pins: { scenario: string } }).pins.scenario
  }
})
