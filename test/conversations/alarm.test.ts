import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import { admission, passage } from '../support/credentials.ts'
import { connectClient } from '../support/socket-client.ts'
import { type ModelHandler, type ModelServer, startModelServer } from '../support/model-server.ts'
import { hang } from '../support/model-steps.ts'
import { streamed } from '../support/completion-stream.ts'
import { beginSession, newCid, Player } from '../support/player.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

const LEASE_MS = 60_000
let model: ModelServer
let server: WorkerServer
let answerNow: ModelHandler = () => []

beforeAll(async () => {
  model = await startModelServer((request) => answerNow(request))
  server = await startWorkerServer({
    configPath: 'test/conversations/alarm-worker.toml',
    vars: {
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'walkon-test',
      WALKON_MODEL_IDLE_MS: '120000',
      WALKON_MODEL_OVERALL_MS: '120000',
      WALKON_TURN_LEASE_MS: String(LEASE_MS),
    },
  })
})
afterAll(async () => {
  await server.stop()
  await model.close()
})

const REPLY = ['Hi.\n---END---\n{"node_satisfied": true}']

/** Returns the time of the next alarm, in milliseconds since 1970, or null. */
async function alarmAt(session: string): Promise<number | null> {
  return (await (await server.fetch(`alarm/${session}`)).json()) as number | null
}

describe('a conversation that is begun a second time', { timeout: 60_000 }, () => {
  it('[message-19] keeps the data it was first begun with', async () => {
    answerNow = () => streamed(REPLY)
    const session = await beginSession(server)
    const player = await Player.join(server, session)
    await player.say('Hello')
    player.leave()
    expect((await server.fetch(`begin-again/${session}`, { method: 'POST' })).status).toBe(204)
    await server.evict({ className: 'ConversationObject', id: session })
    const again = await Player.join(server, session)
    expect(again.hello).toMatchObject({ epoch: player.hello.epoch, head: 3, conversation: { npc: { id: 'maya' } } })
    again.leave()
  })
})

describe('the alarm of a conversation', { timeout: 60_000 }, () => {
  it('[message-17] is set to the end of the lease while a reply runs', async () => {
    answerNow = () => [hang]
    const session = await beginSession(server)
    const player = await Player.join(server, session)
    const before = Date.now()
    expect(await player.emit('say', { cid: newCid(), text: 'Hello' })).toMatchObject({ ok: true })
    const after = Date.now()
    const due = await alarmAt(session)
    expect(due).toBeGreaterThanOrEqual(before + LEASE_MS)
    expect(due).toBeLessThanOrEqual(after + LEASE_MS)
    player.leave()
  })

  it('[message-18] is deleted when the turn has ended and nothing is due', async () => {
    answerNow = () => streamed(REPLY)
    const session = await beginSession(server)
    const player = await Player.join(server, session)
    await player.say('Hello')
    await expect.poll(() => alarmAt(session)).toBeNull()
    player.leave()
  })

  it('[message-18] [protocol-21] is set to the next ping for a client without heartbeats', async () => {
    answerNow = () => streamed(REPLY)
    const session = await beginSession(server)
    const client = connectClient(new URL('socket.io/', server.url), {
      query: passage(session),
      auth: { v: WIRE_VERSION, ...admission(session) },
    })
    await client.next('hello')
    const ended = new Promise<void>((resolve) => {
      client.socket.on('event', (event: { type: string }) => event.type === 'turn' && resolve())
    })
    expect(await client.emitAck('say', { cid: newCid(), text: 'Hello' })).toMatchObject({ ok: true })
    const after = Date.now()
    await ended
    // This time is later than any lease of the turn, so the alarm is set for the connection's next ping.
    await expect.poll(() => alarmAt(session)).toBeGreaterThan(after + 2 * LEASE_MS)
    client.stop()
  })
})
