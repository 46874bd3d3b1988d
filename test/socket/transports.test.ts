import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { EchoReport } from '../support/echo-report.ts'
import { connectClient, loadBrowserBuild, loadMinifiedBuild, nodeBuild } from '../support/socket-client.ts'
import type { ClientBuild, ClientOptions, SocketClient } from '../support/socket-client.ts'
import { startWorkerServer } from '../support/worker-server.ts'
import type { ObjectName, WorkerServer } from '../support/worker-server.ts'
import { IS_LONG, oneIn, variants } from '../support/runs.ts'

vi.setConfig({ testTimeout: 120_000 })

let server: WorkerServer
const builds = new Map<ClientBuild['name'], ClientBuild>()
const clients: SocketClient[] = []

beforeAll(async () => {
  for (const build of [nodeBuild, await loadBrowserBuild(), await loadMinifiedBuild()]) builds.set(build.name, build)
  server = await startWorkerServer({ configPath: 'test/worker/socket/wrangler.toml' })
})

afterEach(() => {
  for (const client of clients.splice(0)) client.stop()
})

afterAll(() => server.stop())

/**
 * The ways in which a client connects, and the transport that the client uses in the end. The names of the objects for
 * a way begin with `prefix`.
 */
const WAYS = [
  { way: 'polling only', pick: ['polling'], ends: 'polling', options: {}, prefix: 'way' },
  { way: 'polling, then WebSocket', pick: ['polling', 'websocket'], ends: 'websocket', options: {}, prefix: 'way' },
  { way: 'WebSocket only', pick: ['websocket'], ends: 'websocket', options: {}, prefix: 'way' },
  {
    way: 'whatever works, WebSocket first',
    pick: ['websocket', 'polling'],
    ends: 'websocket',
    options: { tryAllTransports: true },
    prefix: 'way',
  },
  {
    way: 'whatever works, behind a proxy that knows no WebSocket',
    pick: ['websocket', 'polling'],
    ends: 'polling',
    options: { tryAllTransports: true },
    prefix: 'polled',
  },
] as const

describe.each(variants(['node', 'browser', 'min'] as const))('the official client, %s build', (buildName) => {
  describe.each(oneIn(2, WAYS))('by $way', ({ way, pick, ends, options, prefix }) => {
    const object = (test: string): ObjectName => ({
      className: 'EchoObject',
      name: `${prefix}-${buildName}-${way.replaceAll(/\W+/g, '-')}-${test}`,
    })

    function connect(test: string, more: ClientOptions = {}): SocketClient {
      const client = builds.get(buildName) ?? nodeBuild
      const transports = pick.map((name) => client.transports[name]) as NonNullable<ClientOptions['transports']>
      const url = new URL(`${object(test).name}/`, server.url)
      const connected = connectClient(url, { client, transports, ...options, ...more })
      clients.push(connected)
      return connected
    }

    it('[protocol-7] [protocol-13] [protocol-14] [protocol-25] connects, and gets acknowledgements and broadcasts', async () => {
      const [one, two] = [connect('talk', { auth: { clientId: 'a' } }), connect('talk')]
      const id = await one.next('connect')
      expect(await one.next('hello')).toEqual({ auth: { clientId: 'a' } })
      await two.next('connect')
      const numbers = Array.from({ length: 100 }, (_, n) => n)
      expect(await Promise.all(numbers.map((n) => one.emitAck('echo', n)))).toEqual(
        numbers.map((echoed) => ({ echoed })),
      )
      for (const n of numbers) expect(await one.next('echo')).toBe(n)
      expect(await one.emitAck('tell', { text: 'Grüße 👋 \u001e' })).toEqual({ told: true })
      expect(await two.next('told')).toEqual({ text: 'Grüße 👋 \u001e' })
      await expect.poll(async () => transportOf(object('talk'), id)).toBe(ends)
      expect(await one.emitAck('echo', 'after')).toEqual({ echoed: 'after' })
      expect([...one.unread(), ...two.unread()]).not.toContain('disconnect')
    })

    it('[protocol-8] does not reconnect after a refusal', async () => {
      const client = connect('refuse', { auth: { turnAway: true } })
      expect(await client.next('connect_error')).toMatchObject({ message: 'turned away' })
      expect(client.socket.active).toBe(false)
    })

    it('[protocol-12] [protocol-28] does not reconnect when another connection of its tab has replaced it', async () => {
      const older = connect('replace', { auth: { clientId: 'tab' } })
      await older.next('connect')
      const newer = connect('replace', { auth: { clientId: 'tab' } })
      await newer.next('connect')
      expect(await older.next('disconnect')).toBe('io server disconnect')
      expect(older.socket.active).toBe(false)
      expect(await newer.emitAck('echo', 1)).toEqual({ echoed: 1 })
    })

    it('[protocol-22] [protocol-23] [protocol-27] reconnects after a drop, an eviction, a crash and a deploy', async () => {
      const name = object('return')
      const client = connect('return', { auth: { clientId: 'tab' } })
      const ids = [await client.next('connect')]
      const disasters = [
        async () => client.drop(),
        // While a poll is pending, the platform cannot evict the object.
        ...(ends === 'polling' ? [] : [() => server.evict(name, 'close')]),
        async () => void (await server.fetch(`${name.name}/abort`)),
        () => server.redeploy(),
      ]
      for (const disaster of disasters) {
        // Waits until the upgrade is over: during the upgrade, the client would treat a lost connection as a failed
        // probe.
        await expect.poll(async () => transportOf(name, ids.at(-1))).toBe(ends)
        await disaster()
        await client.next('disconnect')
        ids.push(await client.next('connect'))
        expect(await client.emitAck('echo', ids.length)).toEqual({ echoed: ids.length })
      }
      expect(new Set(ids).size).toBe(disasters.length + 1)
      expect((await report(name)).peers.map(({ sid }) => sid)).toEqual([ids.at(-1)])
    })

    it.skipIf(!IS_LONG || buildName === 'min' || 'tryAllTransports' in options)(
      '[protocol-32] receives every event once over many drops, and counts each reconnect as a recovery',
      async () => {
        const name = object('recover')
        await configure(name, { recovery: true })
        const client = connect('recover')
        const seen: unknown[] = []
        client.socket.on('logged', (n: unknown) => seen.push(n))
        await client.next('connect')
        const recovered: boolean[] = []
        client.socket.on('connect', () => {
          recovered.push(client.socket.recovered)
          dropSoon(client, ends)
        })
        client.emit('log-many', 400)
        dropSoon(client, ends)
        await expect.poll(() => seen.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(400)
        // The test keeps dropping the connection after the 400 events, so that there are enough drops even if a slow
        // machine had few before.
        await expect.poll(() => recovered.length).toBeGreaterThan(3)
        expect(seen).toEqual(Array.from({ length: 400 }, (_, n) => n + 1))
        expect(recovered).not.toContain(false)
      },
    )
  })

  it('[protocol-32] receives each missed event once, wherever its recovery is interrupted', async () => {
    const name = { className: 'EchoObject', name: `bug-b-${buildName}` }
    await configure(name, { recovery: true })
    const witness = connectTo(name, buildName, { query: { hb: '1' } })
    const client = connectTo(name, buildName, { reconnection: false })
    const seen: unknown[] = []
    client.socket.on('logged', (n: unknown) => seen.push(n))
    await client.next('connect')
    let logged = 0
    for (const cut of [1, 2, 3, 4, 5]) {
      client.drop()
      await client.next('disconnect')
      for (let n = 0; n < 3; n++) await witness.emitAck('log', ++logged)
      // The server sends the open packet, CONNECT, three missed events and the hello. The test drops the connection
      // after the first `cut` of these packets.
      client.socket.connect()
      client.socket.io.once('open', () => {
        let packets = 0
        client.socket.io.engine.on('data', () => {
          packets += 1
          if (packets === cut) client.drop()
        })
      })
      await client.next('disconnect')
      client.socket.connect()
      await expect.poll(() => seen.length).toBe(logged)
    }
    // An event received twice would have arrived before this answer.
    expect(await client.emitAck('echo', 'last')).toEqual({ echoed: 'last' })
    expect(seen).toEqual(Array.from({ length: logged }, (_, n) => n + 1))
  })
})

describe('acknowledgements of the official client with the retries option', () => {
  /**
   * Sends five events from a client that wakes like a laptop after a day's sleep. Such a client considers its
   * connection dead as soon as it checks the clock.
   */
  async function askFive(buildName: ClientBuild['name'], retries?: number): Promise<string[]> {
    const name = { className: 'EchoObject', name: `bug-a-${buildName}-${retries ?? 'none'}` }
    const client = connectTo(name, buildName, retries === undefined ? {} : { retries, ackTimeout: 30_000 })
    await client.next('connect')
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_000)
    const settled: string[] = []
    for (const letter of 'ABCDE') {
      if (retries !== undefined) client.socket.emit('echo', letter, () => settled.push(letter))
      else void client.emitAck('echo', letter).then(() => settled.push(letter))
    }
    clock.mockRestore()
    // Duplicate answers would have arrived before the answer to this last event.
    expect(await client.emitAck('echo', 'last')).toEqual({ echoed: 'last' })
    return settled
  }

  it('[protocol-34] are given twice by the browser builds with retries', async () => {
    expect(await askFive('node', 3)).toEqual(['A', 'B', 'C', 'D', 'E'])
    for (const build of ['browser', 'min'] as const) {
      expect((await askFive(build, 3)).filter((letter) => letter === 'A')).toHaveLength(2)
    }
  })

  it.each(variants(['node', 'browser', 'min'] as const))(
    '[protocol-34] are each given once by the %s build without retries',
    async (buildName) => {
      expect(await askFive(buildName)).toEqual(['A', 'B', 'C', 'D', 'E'])
    },
  )
})

function connectTo({ name }: ObjectName, buildName: ClientBuild['name'], more: ClientOptions = {}): SocketClient {
  const client = connectClient(new URL(`${name}/`, server.url), { client: builds.get(buildName) ?? nodeBuild, ...more })
  clients.push(client)
  return client
}

/**
 * Drops the connection shortly after the client has reached its final transport. During an upgrade, the client itself
 * would deliver its last packets twice, with any server.
 */
function dropSoon(client: SocketClient, ends: string): void {
  const { engine } = client.socket.io
  const drop = () => void setTimeout(() => engine.close(), 90)
  if (engine.transport.name === ends) drop()
  else engine.once('upgrade', drop)
}

async function transportOf(name: ObjectName, id: unknown): Promise<string | undefined> {
  return (await report(name)).peers.find(({ sid }) => sid === id)?.transport
}

async function report({ name }: ObjectName): Promise<EchoReport> {
  const response = await server.fetch(`${name}/report`)
  return response.json()
}

async function configure({ name }: ObjectName, options: object): Promise<void> {
  await server.fetch(`${name}/options`, { method: 'POST', body: JSON.stringify(options) })
}
