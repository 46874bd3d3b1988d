import { afterAll, beforeAll, expect, it } from 'vitest'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import { admission, passage } from '../support/credentials.ts'
import { beginSession, newCid, Player } from '../support/player.ts'
import { FrameSocket } from '../support/frame-socket.ts'
import { connectClient } from '../support/socket-client.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

const PING_INTERVAL = 300_000
const PING_TIMEOUT = 60_000
/**
 * Half of the ping interval. This is longer than the minute in which a client must answer a ping; the other half is a
 * margin for slow machines.
 */
const LONG = PING_INTERVAL / 2
let server: WorkerServer

beforeAll(async () => {
  server = await startWorkerServer({ configPath: 'test/socket/idle-worker.toml' })
})
afterAll(() => server.stop())

/** Returns the time until the next alarm in milliseconds, or null. */
async function alarmIn(session: string): Promise<number | null> {
  const at = (await (await server.fetch(`alarm/${session}`)).json()) as number | null
  return at === null ? null : at - Date.now()
}

/** Lets `ms` milliseconds pass for a sleeping conversation, and then rings its alarm. */
async function pass(session: string, ms: number): Promise<void> {
  await server.fetch(`age/${session}/${ms}`, { method: 'POST' })
  await server.evict({ className: 'ConversationObject', id: session })
  await server.fetch(`ring/${session}`, { method: 'POST' })
}

it('[protocol-22] nothing wakes a silent conversation while its clients send heartbeats', async () => {
  const session = await beginSession(server)
  const player = await Player.join(server, session)
  await expect.poll(() => alarmIn(session)).toBeNull()
  player.leave()
})

it('[protocol-21] [protocol-22] a client without heartbeats wakes the object once per ping, but not with its answer', async () => {
  const session = await beginSession(server)
  const client = connectClient(new URL('socket.io/', server.url), {
    query: passage(session),
    auth: { v: WIRE_VERSION, ...admission(session) },
  })
  await client.next('hello')
  await expect.poll(() => alarmIn(session)).toBeGreaterThan(LONG)
  for (const _ of [1, 2, 3]) {
    await pass(session, PING_INTERVAL)
    await expect.poll(() => alarmIn(session)).toBeGreaterThan(LONG)
  }
  expect(client.socket.connected).toBe(true)
  client.stop()
})

it('[protocol-21] a client that is pinged early, because another one sent a message, has only pingTimeout to answer', async () => {
  const session = await beginSession(server)
  const query = new URLSearchParams({ EIO: '4', transport: 'websocket', ...passage(session) })
  const silent = new FrameSocket(new URL(`socket.io/?${query}`, server.url))
  await silent.next()
  silent.send(`40${JSON.stringify({ v: WIRE_VERSION, ...admission(session) })}`)
  const player = await Player.join(server, session)
  await pass(session, PING_INTERVAL * 0.6)
  await expect.poll(() => alarmIn(session)).toBeGreaterThan(PING_TIMEOUT)
  const refused = await player.emit('choose', { cid: newCid(), pivot: 'PIVOT_1', choice: 'a' })
  expect(refused).toMatchObject({ ok: false })
  await expect.poll(() => alarmIn(session)).toBeLessThanOrEqual(PING_TIMEOUT)
  player.leave()
  silent.close()
})
