import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { newScenario } from '../../scripts/sim/new-scenario.ts'
import { streamed } from '../support/completion-stream.ts'
import { admission, passage } from '../support/credentials.ts'
import { door } from '../support/doors.ts'
import { askGame } from '../support/game-client.ts'
import { startModelServer } from '../support/model-server.ts'
import { openSession, Player } from '../support/player.ts'
import { IS_LONG } from '../support/runs.ts'
import { connectClient } from '../support/socket-client.ts'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import { simsFile, TempDeployment } from '../support/temp-deployment.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

const FILES = ['graphs/week-three@1.yaml', 'graphs/steady@1.yaml', 'week-three/scenario.yaml'] as const
/** A scenario that is deployed with both versions and does not change, and its graph. */
const OTHERS = ['graphs/one-to-one@1.yaml', 'one-to-one/scenario.yaml'] as const
/** States that the second version renames. */
const RENAMED = { ask_about_the_people: 'ask_about_their_people', back_from_steady: 'back_from_the_load' }

let deployment: TempDeployment
let server: WorkerServer
let first: Record<string, string>
const players: Player[] = []

beforeAll(async () => {
  first = Object.fromEntries(
    await Promise.all([...FILES, ...OTHERS].map(async (file) => [file, await simsFile(file)] as const)),
  )
  deployment = await TempDeployment.create()
  await deployment.build(first)
  server = await startWorkerServer({
    configPath: path.join(path.dirname(deployment.configPath), 'fault-worker.toml'),
    vars: { WALKON_REHEARSAL_PACE_MS: '0' },
  })
})
afterEach(() => {
  for (const player of players.splice(0)) player.leave()
})
afterAll(async () => {
  await server.stop()
  await deployment.remove()
})

/**
 * Returns the first version's files as a second version, with two states renamed and `migration` as the graph's
 * migration.
 */
function second(migration: string): Record<string, string> {
  const [graph = '', steady = '', scenario = ''] = FILES.map((file) => first[file])
  const rename = (text: string) =>
    Object.entries(RENAMED).reduce((renamed, [from, to]) => renamed.replaceAll(from, to), text)
  return {
    'graphs/week-three@2.yaml': `${rename(graph).replace(/^version: 1$/m, 'version: 2')}\n${migration}`,
    [FILES[1]]: steady,
    ...Object.fromEntries(OTHERS.map((file) => [file, first[file] ?? ''])),
    [FILES[2]]: rename(scenario)
      .replace(/^version: 1$/m, 'version: 2')
      .replace('graph: week-three, version: 1', 'graph: week-three, version: 2'),
  }
}

/** The files of the build that the server runs now. */
let deployed: Record<string, string>

async function deploy(files: Record<string, string>, vars: Record<string, string> = {}): Promise<void> {
  deployed = files
  await deployment.build(files)
  await server.redeploy(vars)
}

/** Sends these lines in a conversation of the deployed version, closes the client, and returns the session. */
async function talkedOf(lines: readonly string[]): Promise<string> {
  const session = await openSession(server, { scenario: 'week-three' })
  const player = await Player.join(server, session)
  for (const line of lines) await player.say(line)
  player.leave()
  return session
}

async function join(session: string): Promise<Player> {
  const player = await Player.join(server, session)
  players.push(player)
  return player
}

/** Returns a conversation's state and the versions of its graph and scenario. */
async function placeOf(session: string) {
  const [walk, info] = [await door(server, session, 'walk'), await door(server, session, 'info')]
  return {
    node: walk.node,
    stack: walk.stack,
    graph: info.graph.version,
    scenario: info.scenario.version,
  }
}

const TO_PEOPLE = ["Sure, let's begin.", 'Work is good, nothing is unclear.']
const INTO_STEADY = ["Sure, let's begin.", 'Honestly it is too much, everything at once.']
const MIGRATION = `
migrations:
  - from: 1
    states: { ask_about_the_people: ask_about_their_people, back_from_steady: back_from_the_load }
    unknown: fail
`

describe('a newer version of a graph is deployed', { timeout: 120_000 }, () => {
  it.runIf(IS_LONG)(
    '[version-1] [version-17] without a migration: running conversations keep their version, and new ones use the newer',
    async () => {
      await deploy(first)
      const session = await talkedOf(TO_PEOPLE)
      await deploy(second(''))
      const player = await join(session)
      await player.say("Nobody. I'm on my own when I am stuck.")
      expect(await placeOf(session)).toEqual({ node: 'find_them_somebody', stack: [], graph: 1, scenario: 1 })
      const newer = await openSession(server, { scenario: 'week-three' })
      expect(await placeOf(newer)).toMatchObject({ graph: 2, scenario: 2 })
    },
  )

  it.runIf(IS_LONG)(
    '[version-3] [version-4] [version-13] [version-18] [message-19] with a migration: the next message moves the conversation to the mapped state of the newer version',
    async () => {
      await deploy(first)
      const session = await talkedOf(TO_PEOPLE)
      expect(await placeOf(session)).toEqual({ node: 'ask_about_the_people', stack: [], graph: 1, scenario: 1 })
      await deploy(second(MIGRATION))
      const player = await join(session)
      // A conversation migrates only when its learner sends a message.
      expect(await placeOf(session)).toMatchObject({ node: 'ask_about_the_people', graph: 1 })
      expect(player.events.map(({ type }) => type)).toEqual(['turn-start', 'turn', 'turn-start', 'turn'])

      const turn = await player.say("Nobody. I'm on my own when I am stuck.")
      expect(turn).toMatchObject({ turn: 3, attempt: 1, outcome: 'complete' })
      expect(await placeOf(session)).toEqual({ node: 'find_them_somebody', stack: [], graph: 2, scenario: 2 })
      const log = await door(server, session, 'interactionLog')
      const moved = [...log.past, log.current].filter(({ enteredBy }) => enteredBy?.by === 'migration')
      expect(moved.map(({ name }) => name)).toEqual(['ask_about_their_people'])
      expect(JSON.stringify(player.events)).not.toMatch(/ask_about|migrat/)
      await player.say('Yes please, you ask. By tomorrow would be good.')
      await player.until(() => player.commands().find((id) => id === 'AI_EndConversation'))
    },
  )

  it.runIf(IS_LONG)(
    '[version-3] [version-14] inside a called graph: the call returns to the mapped return point',
    async () => {
      await deploy(first)
      const session = await talkedOf(INTO_STEADY)
      expect(await placeOf(session)).toMatchObject({ node: 'steady@1/lay_out_the_load', stack: ['back_from_steady'] })
      await deploy(second(MIGRATION))
      const player = await join(session)
      await player.say('The migration, and two dashboards.')
      expect(await placeOf(session)).toEqual({
        node: 'steady@1/lay_out_the_load',
        stack: ['back_from_the_load'],
        graph: 2,
        scenario: 2,
      })
      await player.say("Let's stop here, please.")
      const log = await door(server, session, 'interactionLog')
      expect(log.past.map(({ name }) => name)).toContain('back_from_the_load')
      expect(await placeOf(session)).toMatchObject({ stack: [], graph: 2 })
    },
  )

  it.runIf(IS_LONG)(
    '[version-6] [version-18] a state that is not mapped: the conversation stays on its version, and the log says why',
    async () => {
      await deploy(first)
      const session = await talkedOf(TO_PEOPLE)
      await deploy(second('migrations:\n  - { from: 1, unknown: fail }\n'))
      const player = await join(session)
      await player.say('Hm, let me think.')
      expect(await placeOf(session)).toMatchObject({ graph: 1, scenario: 1 })
      const refused = () => server.logs().find((each) => each.includes('migration-refused'))
      await expect.poll(refused).toBeDefined()
      expect(JSON.parse(refused() ?? '{}')).toMatchObject({ node: 'ask_about_the_people', session })
    },
  )

  it.runIf(IS_LONG)(
    '[version-2] [message-17] in the middle of a reply: the turn is retried on the old version, and the next one moves',
    async () => {
      // The second deployment replies so slowly that the first attempt cannot end before the third deployment.
      await deploy(first, { WALKON_REHEARSAL_PACE_MS: '0' })
      const session = await talkedOf(TO_PEOPLE)
      await deploy(first, { WALKON_REHEARSAL_PACE_MS: '5000' })
      const player = await join(session)
      void player.emit('say', { cid: 'interrupted', text: 'Hm, let me think.' }).catch(() => null)
      await player.until(() => player.deltas.at(0))
      player.leave()
      await deploy(second(MIGRATION), { WALKON_REHEARSAL_PACE_MS: '0' })
      const again = await join(session)
      expect(await again.turn(3, 2)).toMatchObject({ attempt: 2, outcome: 'complete' })
      expect(await placeOf(session)).toMatchObject({ node: 'ask_about_the_people', graph: 1 })
      await again.say("Nobody. I'm on my own when I am stuck.")
      expect(await placeOf(session)).toMatchObject({ node: 'find_them_somebody', graph: 2 })
    },
  )
})

describe('a simulation without rehearsal lines is deployed', { timeout: 120_000 }, () => {
  const ask = (path: string, body: object) => askGame(server, path, { body })

  it.runIf(IS_LONG)(
    '[authoring-13] without a model it is refused, with a model it is played, and a conversation outlasts the model',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'walkon-new-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      const made = await newScenario({ id: 'open-day', tier: 'TECHNICAL', title: 'The open day', folder })
      if (!made.ok) throw new Error(made.message)
      const files = { ...first, 'open-day/scenario.yaml': await readFile(made.file, 'utf8') }
      await deploy(files)
      const refusal = { status: 503, body: { error: { code: 'needs-model', next: 'give-up' } } }
      expect(await ask('api/sessions', { scenario: 'open-day', npc: 'sam' })).toMatchObject(refusal)
      expect(await ask('api/runs', { scenario: 'open-day' })).toMatchObject(refusal)
      expect(await ask('api/classes', { title: 'Ours', scenario: 'open-day' })).toMatchObject(refusal)
      expect((await ask('api/sessions', { scenario: 'one-to-one' })).status).toBe(201)

      const model = await startModelServer(() => streamed(['It is in 5 weeks.\n---END---\n{"node_satisfied": true}']))
      onTestFinished(() => model.close())
      await server.redeploy({ OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'walkon-test' })
      const session = await openSession(server, { scenario: 'open-day', npc: 'sam' })
      const player = await join(session)
      expect(player.hello.conversation.speaker.kind).toBe('model')
      expect(await player.say('When is it?')).toMatchObject({ outcome: 'complete', text: 'It is in 5 weeks.' })
      player.leave()

      await server.redeploy({ OPENAI_BASE_URL: '', OPENAI_MODEL: '' })
      const back = await join(session)
      expect(back.hello.events.map(({ type }) => type)).toContain('turn')
      expect((await back.say('Are you still there?')).outcome).toBe('failed')
    },
  )
})

/** Returns the data with which a client's CONNECT is refused. */
async function refusalOf(session: string): Promise<unknown> {
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

const ask = async (where: string): Promise<unknown> => (await server.fetch(where)).json()

describe('what a conversation is pinned to', { timeout: 120_000 }, () => {
  beforeEach(async () => {
    if (deployed !== first) await deploy(first)
  })

  const costs = async (session: string) =>
    (await ask(`doors/${session}/costs`)) as { statements: number; bytes: number }

  it.runIf(IS_LONG)(
    '[version-24] to begin: a handful of statements in the object, and one transaction in the database',
    async () => {
      const scenario = { scenario: 'week-three' }
      // The first conversation of the isolate reads the scenario and keeps its contents.
      await openSession(server, scenario)
      const before = (await ask('doors/db-asks')) as number
      const sessions: string[] = []
      for (let n = 0; n < 5; n += 1) sessions.push(await openSession(server, scenario))
      const asked = ((await ask('doors/db-asks')) as number) - before
      // The list of versions is read again when it is five seconds old.
      expect(asked).toBeGreaterThanOrEqual(5)
      expect(asked).toBeLessThanOrEqual(6)
      for (const session of sessions) expect((await costs(session)).statements).toBeLessThanOrEqual(6)
    },
  )

  it.runIf(IS_LONG)(
    '[version-23] a wake reads nothing from the database, and neither does a message to the deployed version',
    async () => {
      const session = await openSession(server, { scenario: 'one-to-one' })
      await server.evict({ className: 'ConversationObject', id: session })
      await server.fetch('doors/db/down', { method: 'POST' })
      try {
        const player = await join(session)
        expect((await player.say('Hello there.')).outcome).toBe('complete')
      } finally {
        await server.fetch('doors/db/up', { method: 'POST' })
      }
    },
  )

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

  it.runIf(IS_LONG)(
    '[version-20] a conversation goes on with its own scenario and graph, which the newer build does not have',
    async () => {
      const session = await begun()
      const before = await door(server, session, 'info')
      await deploy(changed())
      const player = await join(session)
      expect((await player.say('Work is good, nothing is unclear.')).outcome).toBe('complete')
      const after = await door(server, session, 'info')
      expect(after).toEqual(before)
      expect(JSON.stringify(after.graph)).toBe(JSON.stringify(before.graph))
      expect(after.scenario.title).not.toBe('Another title')
      const newer = await openSession(server, { scenario: 'week-three' })
      await join(newer)
      expect((await door(server, newer, 'info')).scenario.title).toBe('Another title')
    },
  )

  it.runIf(IS_LONG)(
    '[version-22] the same build needs no database: the graph is made again from the scenario',
    async () => {
      const session = await begun()
      const before = await door(server, session, 'info')
      await server.redeploy()
      await server.fetch('doors/db/down', { method: 'POST' })
      const player = await join(session)
      expect(player.hello.events.some((event) => event.type === 'turn')).toBe(true)
      expect(await door(server, session, 'info')).toEqual(before)
      await server.fetch('doors/db/up', { method: 'POST' })
    },
  )

  it.runIf(IS_LONG)(
    '[version-21] if the database is down, clients are told to come back, and nothing is lost',
    async () => {
      const session = await begun()
      await deploy(changed())
      await server.fetch('doors/db/down', { method: 'POST' })
      expect(await refusalOf(session)).toMatchObject({ code: 'unavailable', next: 'retry-after' })
      expect(server.logs().some((line) => line.includes('content-not-loaded') && line.includes(session))).toBe(true)
      await server.fetch('doors/db/up', { method: 'POST' })
      const player = await join(session)
      expect(player.hello.events.some((event) => event.type === 'turn')).toBe(true)
      expect((await player.say('Work is good, nothing is unclear.')).outcome).toBe('complete')
    },
  )

  it.runIf(IS_LONG)(
    '[version-21] if a content is gone, the log has its hash, and clients are told to start over',
    async () => {
      const session = await begun()
      const hash = await scenarioOf(session)
      await deploy(changed())
      const database = await server.database()
      const sql = 'SELECT body FROM scenario_bodies WHERE hash = ?1'
      const { results } = await database.prepare(sql).bind(hash).all<{ body: string }>()
      await database.prepare('UPDATE scenario_bodies SET body = ?2 WHERE hash = ?1').bind(hash, '{}').all()
      expect(await refusalOf(session)).toMatchObject({ code: 'unknown-session', next: 'start-over' })
      expect(server.logs().some((line) => line.includes('content-gone') && line.includes(hash))).toBe(true)
      // Nothing was deleted: with its content, the conversation is there again.
      await database
        .prepare('UPDATE scenario_bodies SET body = ?2 WHERE hash = ?1')
        .bind(hash, results[0]?.body ?? '')
        .all()
      const player = await join(session)
      expect((await player.say('Work is good, nothing is unclear.')).outcome).toBe('complete')
    },
  )

  const scenarioOf = async (session: string): Promise<string> => {
    const sql = 'SELECT info FROM session'
    const rows = (await server.sql({ className: 'ConversationObject', id: session }, sql)) as { info: string }[]
    return (JSON.parse(rows[0]?.info ?? '') as { pins: { scenario: string } }).pins.scenario
  }
})
