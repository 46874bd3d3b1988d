import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { publish } from '../../scripts/sim/publish.ts'
import type { LogEvent } from '../../worker/wire/messages.ts'
import { renewCredentials } from '../support/credentials.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { webhookSecret } from '../support/webhook-receiver.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

const SECRET = 'p4Qm8sLx2VtR6yWn1ZcB9dKf3HgJ5aUe'
const HASH = '00000000000000aa'
const MINUTE = 60_000
const QUESTION = '@research Why do moths gather at lamps?'

let server: WorkerServer
/** The deployment's own server, which runs tools. `answer` says how. */
let deployment: Server
let calls = 0
let answer: (response: ServerResponse) => void = (response) => response.end('Moths gather at lamps.')
const folder = mkdtempSync(path.join(tmpdir(), 'walkon-clock-'))
const players: Player[] = []

beforeAll(async () => {
  deployment = createServer((request, response) => {
    request.resume()
    calls += 1
    answer(response)
  })
  await new Promise<void>((listening) => deployment.listen(0, '127.0.0.1', listening))
  const { port } = deployment.address() as AddressInfo
  server = await startWorkerServer({
    configPath: 'test/conversations/clock-worker.toml',
    vars: {
      WALKON_ADMIN_SECRET: SECRET,
      WALKON_REHEARSAL_PACE_MS: '0',
      WALKON_WEBHOOK_URL: `http://127.0.0.1:${port}/hook`,
      WALKON_WEBHOOK_SECRET: webhookSecret(7),
      WALKON_WEBHOOK_INSECURE: 'true',
      WALKON_DELIVERY_TIMEOUT_MS: '1500',
    },
  })
  const own = path.join(folder, 'tool.yaml')
  const assistant = readFileSync('sims/page-assistant/assistant.yaml', 'utf8')
  writeFileSync(
    own,
    assistant
      .replace('id: page-assistant', 'id: tool-assistant')
      .replace('        effect: reads', '        effect: reads\n        runs: deployment\n        permission: false'),
  )
  expect(await publish(own, { to: server.url.href, secret: SECRET })).toMatchObject({ ok: true })
})
afterEach(async () => {
  for (const player of players.splice(0)) player.leave()
  await clock(0)
})
afterAll(async () => {
  await server.stop()
  deployment.closeAllConnections()
  deployment.close()
  rmSync(folder, { recursive: true, force: true })
})

const clock = (ahead: number) => server.fetch(`clock/${ahead}`, { method: 'POST' })

async function join(session: string): Promise<Player> {
  const player = await Player.join(server, session)
  players.push(player)
  return player
}

type Of<T extends LogEvent['type']> = Extract<LogEvent, { type: T }>
const first = <T extends LogEvent['type']>(player: Player, type: T) =>
  player.until(() => player.events.find((event): event is Of<T> => event.type === type))
const count = (player: Player, type: LogEvent['type']) => player.events.filter((event) => event.type === type).length

async function say(player: Player, text: string, context?: string): Promise<number> {
  const taken = await player.emit('say', { cid: newCid(), text, ...(context && { context }) })
  if (!taken.ok) throw new Error(taken.code)
  return taken.turn
}

describe('an hour later', { timeout: 60_000 }, () => {
  it('[assistant-17] a question is answered from another tab, after the object was evicted, with renewed credentials: one run, exactly once', async () => {
    const session = await openSession(server, { scenario: 'page-assistant' })
    const player = await join(session)
    await player.emit('page', { hash: HASH, page: { text: 'A page.', tools: ['web_search'] } })
    const turn = await say(player, QUESTION, HASH)
    const asked = await first(player, 'permission')
    player.leave()
    await server.evict({ className: 'ConversationObject', id: session }, 'close')
    await clock(60 * MINUTE)

    await renewCredentials(server.url, session)
    const other = await join(session)
    expect(await other.emit('permit', { id: asked.id, answer: 'once' })).toMatchObject({ ok: true })
    const call = await first(other, 'tool-call')
    expect(call.at - asked.at).toBeGreaterThanOrEqual(60 * MINUTE)
    expect(await other.emit('tool', { call: call.call, claim: true })).toMatchObject({ ok: true })
    await server.evict({ className: 'ConversationObject', id: session })
    expect(await other.emit('tool', { call: call.call, ok: true, text: 'Moths gather at lamps.' })).toMatchObject({
      ok: true,
    })
    const end = await other.turn(turn)
    expect(end).toMatchObject({ outcome: 'complete', attempt: 1, text: expect.stringContaining('Moths gather') })
    for (const type of ['turn-start', 'permission', 'permission-end', 'tool-call', 'tool-end', 'turn'] as const)
      expect([type, count(other, type)]).toEqual([type, 1])
  })

  it('[assistant-18] is a day too late the day after, and the turn goes on without', async () => {
    const session = await openSession(server, { scenario: 'page-assistant' })
    const player = await join(session)
    await player.emit('page', { hash: HASH, page: { text: 'A page.', tools: ['web_search'] } })
    const turn = await say(player, QUESTION, HASH)
    const asked = await first(player, 'permission')
    player.leave()
    await server.evict({ className: 'ConversationObject', id: session }, 'close')
    await clock(25 * 60 * MINUTE)
    await renewCredentials(server.url, session)
    const other = await join(session)
    expect(await other.emit('permit', { id: asked.id, answer: 'once' })).toMatchObject({ ok: false, code: 'stale' })
    expect((await other.turn(turn)).text).toContain('nothing to cite')
    expect(await first(other, 'permission-end')).toMatchObject({ answer: 'expired' })
    expect(count(other, 'tool-call')).toBe(0)
  })
})

describe('a tool of the deployment', { timeout: 60_000 }, () => {
  const begin = async () => join(await openSession(server, { scenario: 'tool-assistant' }))

  it.runIf(IS_LONG)('[assistant-21] that does not answer in time has failed, and was called once', async () => {
    calls = 0
    answer = () => {}
    const player = await begin()
    expect((await player.turn(await say(player, QUESTION))).text).toContain('failed')
    expect(await first(player, 'tool-end')).toMatchObject({ outcome: 'failed' })
    expect(calls).toBe(1)
  })

  it('[assistant-21] that answers too much is read up to a limit', async () => {
    calls = 0
    answer = (response) => response.end(`Moths gather at lamps. ${'x'.repeat(200_000)}`)
    const player = await begin()
    const { text } = await player.turn(await say(player, QUESTION))
    expect(text).toContain('Moths gather at lamps.')
    expect(text.length).toBeLessThan(1_000)
    const { session } = player.hello.conversation
    const rows = (await server.sql({ className: 'ConversationObject', id: session }, 'SELECT body FROM assistant')) as [
      { body: string },
    ]
    const { turn } = JSON.parse(rows[0].body) as { turn: { calls: { result: string }[] } }
    expect(turn.calls.map(({ result }) => result.length)).toEqual([8_000])
    expect(calls).toBe(1)
  })

  it.runIf(IS_LONG)('[assistant-21] whose runner dies while it is called is not called a second time', async () => {
    calls = 0
    const called = Promise.withResolvers<void>()
    answer = () => called.resolve()
    const player = await begin()
    const { session } = player.hello.conversation
    const turn = await say(player, QUESTION)
    await called.promise
    player.leave()
    // Every object restarts.
    await server.redeploy()
    answer = (response) => response.end('Moths gather at lamps.')
    await clock(2 * MINUTE)
    const again = await join(session)
    await again.emit('lock', { agent: null })
    expect((await again.turn(turn)).text).toContain('did not answer')
    expect(await first(again, 'tool-end')).toMatchObject({ outcome: 'late' })
    expect(calls).toBe(1)
  })
})
