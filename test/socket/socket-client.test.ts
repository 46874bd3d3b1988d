import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { EchoReport } from '../support/echo-report.ts'
import { connectClient, loadBrowserBuild, nodeBuild } from '../support/socket-client.ts'
import type { ClientBuild, ClientOptions, SocketClient } from '../support/socket-client.ts'
import { startWorkerServer } from '../support/worker-server.ts'
import type { ObjectName, WorkerServer } from '../support/worker-server.ts'
import { IS_LONG, variants } from '../support/runs.ts'

let server: WorkerServer
let browserBuild: ClientBuild
const clients: SocketClient[] = []

beforeAll(async () => {
  browserBuild = await loadBrowserBuild()
  server = await startWorkerServer({ configPath: 'test/worker/socket/wrangler.toml' })
})

afterEach(() => {
  for (const client of clients.splice(0)) client.stop()
})

afterAll(() => server.stop())

describe.each(variants(['node', 'browser'] as const))('the official client, %s build', (buildName) => {
  const object = (test: string): ObjectName => ({ className: 'EchoObject', name: `${buildName}-${test}` })

  function connect(test: string, options: ClientOptions = {}): SocketClient {
    const client = buildName === 'node' ? nodeBuild : browserBuild
    const connected = connectClient(new URL(`${object(test).name}/`, server.url), { client, ...options })
    clients.push(connected)
    return connected
  }

  it('[protocol-4] [protocol-7] connects with auth, and gets its id and the owner’s hello', async () => {
    const client = connect('connect', { auth: { v: 1, clientId: 'tab' } })
    const id = await client.next('connect')
    expect(await client.next('hello')).toEqual({ auth: { v: 1, clientId: 'tab' } })
    expect(await report(object('connect'))).toMatchObject({ peers: [{ sid: id, clientId: 'tab', hb: false }] })
    expect(client.socket.recovered).not.toBe(true)
  })

  it('[protocol-1] announces with hb=1 that it sends heartbeats', async () => {
    const client = connect('capability', { query: { hb: '1' } })
    await client.next('connect')
    expect(await report(object('capability'))).toMatchObject({ peers: [{ hb: true }] })
  })

  it('[protocol-13] [protocol-14] sends and receives events with acknowledgements', async () => {
    const client = connect('events')
    const bodies = [{ text: 'Grüße 👋', list: [1, 2.5, null, true] }, 'text', 0, [], null]
    for (const body of bodies) {
      expect(await client.emitAck('echo', body)).toEqual({ echoed: body })
      expect(await client.next('echo')).toEqual(body)
    }
  })

  it('[protocol-13] sends events that were emitted before it was connected', async () => {
    const client = connect('early')
    expect(await client.emitAck('echo', 'early')).toEqual({ echoed: 'early' })
  })

  it('[protocol-14] receives any number of events at once, in order', async () => {
    const client = connect('many')
    const numbers = Array.from({ length: 200 }, (_, n) => n)
    const answers = await Promise.all(numbers.map((n) => client.emitAck('echo', n)))
    expect(answers).toEqual(numbers.map((n) => ({ echoed: n })))
    for (const n of numbers) expect(await client.next('echo')).toBe(n)
  })

  it('[protocol-15] is told when the owner’s handler fails', async () => {
    const client = connect('failure')
    expect(await client.emitAck('explode', 1)).toMatchObject({ ok: false, next: 'retry-after', code: 'unavailable' })
    expect(await client.emitAck('explode-later', 1)).toMatchObject({ ok: false, code: 'unavailable' })
    expect(await client.emitAck('echo', 1)).toEqual({ echoed: 1 })
  })

  it('[protocol-8] does not reconnect after a refusal', async () => {
    const client = connect('refuse', { auth: { refuse: true } })
    const error = await client.next('connect_error')
    expect(error).toMatchObject({ message: 'refused', data: { code: 'test' } })
    expect(client.socket.active).toBe(false)
  })

  it('[protocol-8] does not reconnect after a refusal without an object either', async () => {
    const client = connectClient(new URL('nowhere/', server.url), {
      client: buildName === 'node' ? nodeBuild : browserBuild,
    })
    clients.push(client)
    expect(await client.next('connect_error')).toMatchObject({ message: 'unknown', data: { code: 'nowhere' } })
    expect(client.socket.active).toBe(false)
  })

  it('[protocol-9] is refused for another namespace', async () => {
    const client = connect('namespace')
    await client.next('connect')
    const other = client.socket.io.socket('/random')
    const message = await new Promise((resolve) => other.once('connect_error', (error) => resolve(error.message)))
    expect(message).toBe('Invalid namespace')
    expect(await client.emitAck('echo', 1)).toEqual({ echoed: 1 })
  })

  it('[protocol-24] receives broadcasts, as all other clients do', async () => {
    const all = [connect('broadcast'), connect('broadcast'), connect('broadcast')]
    for (const client of all) await client.next('connect')
    expect(await all[0]?.emitAck('tell', { n: 1 })).toEqual({ told: true })
    for (const client of all) expect(await client.next('told')).toEqual({ n: 1 })
  })

  it('[protocol-12] is replaced by a second socket of the same tab and does not reconnect', async () => {
    const older = connect('replace', { auth: { clientId: 'tab' } })
    await older.next('connect')
    const newer = connect('replace', { auth: { clientId: 'tab' } })
    const id = await newer.next('connect')
    expect(await older.next('disconnect')).toBe('io server disconnect')
    expect(older.socket.active).toBe(false)
    expect(await newer.emitAck('echo', 1)).toEqual({ echoed: 1 })
    expect((await report(object('replace'))).peers.map((peer) => peer.sid)).toEqual([id])
  })

  it('[protocol-16] disconnects, and the owner is told at once', async () => {
    const [stays, leaves] = [connect('leave'), connect('leave')]
    await stays.next('connect')
    const id = await leaves.next('connect')
    leaves.stop()
    // The disconnect and the request for the report use separate connections, so either may arrive first.
    await expect.poll(async () => (await report(object('leave'))).disconnects).toEqual([id])
    expect(await stays.emitAck('echo', 1)).toEqual({ echoed: 1 })
  })

  it('[protocol-23] reconnects by itself after a dropped connection and after a deploy', async () => {
    const client = connect('return', { auth: { clientId: 'tab' } })
    const first = await client.next('connect')
    client.drop()
    expect(await client.next('disconnect')).toBe('forced close')
    const second = await client.next('connect')
    await server.redeploy()
    await client.next('disconnect')
    const third = await client.next('connect')
    expect(new Set([first, second, third]).size).toBe(3)
    expect(await client.emitAck('echo', 1)).toEqual({ echoed: 1 })
    expect((await report(object('return'))).peers.map((peer) => peer.sid)).toEqual([third])
  })

  it('[protocol-22] stays connected while the object sleeps, and its next event is answered', async () => {
    const name = object('sleep')
    const [one, two] = [connect('sleep', { auth: { clientId: 'a' } }), connect('sleep', { query: { hb: '1' } })]
    const ids = [await one.next('connect'), await two.next('connect')]
    const before = await report(name)
    await server.evict(name)
    expect(await one.emitAck('tell', 'awake')).toEqual({ told: true })
    expect(await two.next('told')).toBe('awake')
    const after = await report(name)
    expect(after.constructions).toBe(before.constructions + 1)
    expect(after.peers).toEqual(before.peers)
    expect([one.socket.id, two.socket.id]).toEqual(ids)
    expect([...one.unread(), ...two.unread()]).not.toContain('disconnect')
  })

  it('[protocol-20] gets its heartbeats answered without waking the object', async () => {
    const name = object('heartbeat')
    const client = connect('heartbeat', { query: { hb: '1' } })
    await client.next('connect')
    await server.evict(name)
    for (let beat = 0; beat < 3; beat++) {
      client.socket.volatile.emit('hb')
      expect(await client.next('hb')).toBe(1)
      await expect(server.evict(name)).rejects.toThrow('not currently running')
    }
    expect((await report(name)).constructions).toBe(2)
  })

  it.runIf(IS_LONG)(
    '[protocol-21] without heartbeats is pinged, and stays connected past pingInterval and pingTimeout',
    async () => {
      const name = object('pings')
      const [pingInterval, pingTimeout] = [500, 6_000]
      await configure(name, { pingInterval, pingTimeout })
      const client = connect('pings')
      const id = await client.next('connect')
      const end = Date.now() + pingInterval + pingTimeout
      do {
        await client.next('ping')
        // The client sent the pong before this event.
        expect(await client.emitAck('echo', 1)).toEqual({ echoed: 1 })
        // After a pong, the alarm stays at the end of `pingTimeout`. Any request makes the object set the alarm for the
        // next ping.
        expect((await server.fetch(`${name.name}/`)).status).toBe(400)
      } while (Date.now() < end)
      expect(client.socket.id).toBe(id)
      expect(client.unread()).not.toContain('disconnect')
    },
  )

  it('[protocol-3] retries with growing delays while all places are taken', async () => {
    const name = object('full')
    await configure(name, { maxSockets: 1 })
    await connect('full').next('connect')
    const refused = connect('full', { reconnectionDelay: 50, reconnectionDelayMax: 1000, randomizationFactor: 0 })
    const times: number[] = []
    for (const attempt of [1, 2, 3]) {
      expect(await refused.next('reconnect_attempt')).toBe(attempt)
      times.push(Date.now())
    }
    const [first = 0, second = 0, third = 0] = times
    // A timer may fire a little early. If the client began again with the shortest delay each time, the pauses would be
    // 50 ms.
    expect(second - first).toBeGreaterThan(90)
    expect(third - second).toBeGreaterThan(190)
    expect(refused.socket.connected).toBe(false)
  })

  it('[protocol-11] [protocol-19] is not disturbed by a broken client', async () => {
    const client = connect('disturbed')
    await client.next('connect')
    for (const frame of ['42["x"]', 'garbage', '40{"__proto__":1}', 'x'.repeat(100_000)]) {
      const closing = await closingOf(object('disturbed'), (ws) => ws.send(frame))
      expect([1002, 1008, 1009]).toContain(closing.code)
    }
    expect(await client.emitAck('echo', 1)).toEqual({ echoed: 1 })
  })
})

it('[protocol-21] a client that does not answer pings is closed', async () => {
  const name = { className: 'EchoObject', name: 'mute' }
  const closing = await closingOf(name, (ws) => {
    ws.send('40')
    // Waits for the answer to the client's CONNECT: workerd keeps the connection of a client that has sent nothing (see
    // the next test).
    ws.addEventListener('message', ({ data }) => {
      if (String(data).startsWith('40')) void configure(name, { pingInterval: 50, pingTimeout: 50 })
    })
  })
  expect(closing).toEqual({ code: 4002, reason: 'ping-timeout' })
  expect((await report(name)).peers).toEqual([])
})

it('[protocol-10] a client that never sends anything loses its place', async () => {
  const name = { className: 'EchoObject', name: 'wordless' }
  await configure(name, { connectTimeout: 50, maxSockets: 1 })
  // Until the client has sent something, workerd sends a close frame but keeps the TCP connection, so `close` may never
  // fire here. The test checks that the client's place is free.
  const ws = new WebSocket(socketUrl(name))
  await new Promise((resolve) => ws.addEventListener('message', resolve, { once: true }))
  await expect.poll(() => ws.readyState).toBeGreaterThanOrEqual(WebSocket.CLOSING)
  await configure(name, { maxSockets: 1 })
  expect(await closingOf(name, (next) => next.send('41'))).toEqual({ code: 1008, reason: 'not-connected' })
})

function socketUrl({ name }: ObjectName): URL {
  return new URL(`${name}/?EIO=4&transport=websocket`, server.url.href.replace('http', 'ws'))
}

/** Opens a plain WebSocket, runs `act` and returns how the server closed the socket. */
function closingOf(name: ObjectName, act: (ws: WebSocket) => void): Promise<{ code: number; reason: string }> {
  const ws = new WebSocket(socketUrl(name))
  ws.addEventListener('open', () => act(ws))
  return new Promise((resolve) => ws.addEventListener('close', ({ code, reason }) => resolve({ code, reason })))
}

async function report({ name }: ObjectName): Promise<EchoReport> {
  const response = await server.fetch(`${name}/report`)
  return response.json()
}

async function configure({ name }: ObjectName, options: object): Promise<void> {
  await server.fetch(`${name}/options`, { method: 'POST', body: JSON.stringify(options) })
}
