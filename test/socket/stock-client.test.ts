import { afterEach, beforeAll, expect, it } from 'vitest'
import type { Hello, LogEvent } from '../../worker/wire/messages.ts'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import { admission, passage } from '../support/credentials.ts'
import { Player, beginSession } from '../support/player.ts'
import { connectClient } from '../support/socket-client.ts'
import type { ClientOptions, SocketClient } from '../support/socket-client.ts'
import { SharedServer } from '../support/shared.ts'

/** The deployed worker. The tests use the official client without extensions: no heartbeats and no cursor. */
let server: SharedServer
const clients: SocketClient[] = []

beforeAll(async () => {
  server = await SharedServer.open('plain')
})

afterEach(() => {
  for (const client of clients.splice(0)) client.stop()
})

it.each([
  ['WebSocket', ['websocket']],
  ['polling', ['polling']],
  ['polling, then WebSocket', ['polling', 'websocket']],
])(
  '[protocol-25] [protocol-32] [message-4] with %s it sends messages, is disconnected, and recovers the missed events',
  async (_way, transports) => {
    const session = await beginSession(server)
    const client = stock(session, { transports, reconnection: false })
    const seen: LogEvent[] = []
    client.socket.on('event', (event: LogEvent) => seen.push(event))
    expect(((await client.next('hello')) as Hello).mode).toBe('snapshot')
    expect(await client.emitAck('say', { cid: 'one', text: 'Hi, what is going on?' })).toMatchObject({ ok: true })
    await expect.poll(() => seen.map(({ type }) => type)).toContain('turn')

    client.drop()
    await client.next('disconnect')
    const other = await Player.join(server, session)
    await other.say('And what do you think of it?')
    const head = other.events.at(-1)?.seq ?? 0
    expect(head).toBeGreaterThan(seen.length)
    client.socket.connect()
    const hello = (await client.next('hello')) as Hello
    expect(client.socket.recovered).toBe(true)
    expect(hello).toMatchObject({ mode: 'resume', head, events: [] })
    // The first event is the opening, which came with the first `hello`.
    expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: head - 1 }, (_, n) => n + 2))
    expect(seen).toEqual(other.events.slice(1))
    other.leave()
  },
)

it('[protocol-32] after a hello with everything and a drop before any event, it recovers only the later events', async () => {
  const session = await beginSession(server)
  const other = await Player.join(server, session)
  await other.say('Hi, what is going on?')
  const client = stock(session, { reconnection: false })
  const seen: number[] = []
  client.socket.on('event', ({ seq }: LogEvent) => seen.push(seq))
  const told = ((await client.next('hello')) as Hello).head
  client.drop()
  await client.next('disconnect')
  await other.say('And what do you think of it?')
  client.socket.connect()
  const { head } = (await client.next('hello')) as Hello
  expect(client.socket.recovered).toBe(true)
  expect(seen).toEqual(Array.from({ length: head - told }, (_, n) => told + n + 1))
  other.leave()
})

it('[protocol-32] the id of one session is invalid in another', async () => {
  const [home, foreign] = [await beginSession(server), await beginSession(server)]
  const client = stock(home)
  await client.next('hello')
  const connected = client.packets.find((packet) => packet.startsWith('0{'))
  const { pid }: { pid: string } = JSON.parse(connected?.slice(1) ?? '{}')
  expect(pid).toMatch(/./)
  const thief = stock(foreign, { auth: { v: WIRE_VERSION, ...admission(foreign), pid, offset: '0' } })
  expect(((await thief.next('hello')) as Hello).mode).toBe('snapshot')
  expect(thief.packets.find((packet) => packet.startsWith('0{'))).not.toContain(pid)
})

function stock(session: string, options: ClientOptions = {}): SocketClient {
  const client = connectClient(new URL('socket.io/', server.url), {
    query: { ...passage(session) },
    auth: { v: WIRE_VERSION, ...admission(session) },
    ...options,
  })
  clients.push(client)
  return client
}
