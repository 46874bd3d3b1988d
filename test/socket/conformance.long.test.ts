import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { FrameSocket } from '../support/frame-socket.ts'
import { startWorkerServer } from '../support/worker-server.ts'
import type { WorkerServer } from '../support/worker-server.ts'

/**
 * The cases of the two protocols' own test suites, rewritten for vitest: 25 of Engine.IO v4 and 32 of Socket.IO v5, of
 * which 16 repeat Engine.IO's. Each case uses its own Durable Object in workerd, over TCP, byte for byte, both with
 * WebSockets that hibernate and with WebSockets that do not.
 */

const PING_INTERVAL = 300
const PING_TIMEOUT = 200

type Mode = 'awake' | 'hibernating'
const MODES: readonly Mode[] = ['awake', 'hibernating']

/** Which of the timings in `conformance-object.ts` the object uses. */
type Pace = 'suite' | 'pinging' | 'connecting' | 'calm'

/**
 * How workerd differs from the server that the suites expect. The server closes a hibernatable WebSocket before its
 * client has sent anything: workerd sends the close frame but keeps the TCP connection, so the client stays in the
 * state CLOSING.
 */
const NEVER_SPOKE = 'the close frame comes, and TCP stays until the client has sent something'

let server: WorkerServer
const sockets: FrameSocket[] = []
let addresses = 0
const ran: Record<Mode, Set<string>> = { awake: new Set(), hibernating: new Set() }

beforeAll(async () => {
  server = await startWorkerServer({ configPath: 'test/worker/socket/conformance.toml' })
})

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})

afterAll(() => server.stop())

describe.each(MODES)('sockets that are %s', (mode) => {
  /** Returns the address of an object that no other test uses. */
  function addressOf(protocol: 'engine' | 'socket', pace: Pace = 'calm'): Address {
    const name = expect.getState().currentTestName?.replaceAll(/\W+/g, '-') ?? ''
    ran[mode].add(name)
    const path = `${mode}/${protocol}/${pace}/${name}-${++addresses}/`
    return (query) => new URL(`${path}?${query}`, server.url)
  }

  describe('Engine.IO', () => {
    engineCases('engine', mode, (pace) => addressOf('engine', pace))
    messageCases(() => addressOf('engine'))
  })

  describe('Socket.IO', () => {
    engineCases('socket', mode, (pace) => addressOf('socket', pace))
    socketCases(mode, (pace) => addressOf('socket', pace))
  })
})

it('[protocol-33] every case of the two suites was run in every mode', () => {
  expect(MODES.map((mode) => ran[mode].size)).toEqual(MODES.map(() => 57))
})

type Address = (query: string) => URL

/** The cases about Engine.IO that both suites contain. */
function engineCases(protocol: 'engine' | 'socket', mode: Mode, address: (pace?: Pace) => Address): void {
  describe('handshake', () => {
    it('[protocol-4] [protocol-25] polling: opens a session', async () => {
      const response = await fetch(address('suite')('EIO=4&transport=polling'))
      expect(response.status).toBe(200)
      expectOpen(await response.text(), ['websocket'])
    })

    it.each([
      ['[protocol-2] polling: without EIO, or with another', 'GET', ['transport=polling', 'EIO=abc&transport=polling']],
      ['[protocol-2] polling: without a transport, or with another', 'GET', ['EIO=4', 'EIO=4&transport=abc']],
    ])('%s, is refused', async (_title, method, queries) => {
      const at = address()
      for (const query of queries) expect((await fetch(at(query), { method })).status).toBe(400)
    })

    it('[protocol-2] polling: with another method is refused', async () => {
      const at = address()
      for (const method of ['POST', 'PUT']) {
        expect((await fetch(at('EIO=4&transport=polling'), { method })).status).toBe(400)
      }
    })

    it('[protocol-4] WebSocket: opens a session', async () => {
      const socket = open(address('suite')('EIO=4&transport=websocket'))
      expectOpen(String(await socket.next()), [])
    })

    it.each([
      ['[protocol-2] WebSocket: without EIO, or with another', ['transport=websocket', 'EIO=abc&transport=websocket']],
      ['[protocol-2] WebSocket: without a transport, or with another', ['EIO=4', 'EIO=4&transport=abc']],
    ])('%s, is refused', async (_title, queries) => {
      const at = address()
      for (const query of queries) expect(await open(at(query)).closed()).toMatchObject({ code: 1006 })
    })
  })

  // The object sends no ping before the client has answered the last ping. So these cases show that the object accepts
  // pongs, without the short timeouts of the suites.
  describe('heartbeat', () => {
    it('[protocol-21] [protocol-27] polling: pings, and takes pongs', async () => {
      const at = address('pinging')
      const sid = await openPolling(at)
      for (let round = 0; round < 3; round++) {
        expect(await poll(at, sid)).toEqual({ status: 200, body: '2' })
        expect(await post(at, sid, '3')).toEqual({ status: 200, body: 'ok' })
      }
    })

    it('[protocol-21] [protocol-27] polling: ends a session whose ping was not answered', async () => {
      const at = address('suite')
      const sid = await openPolling(at)
      // The suite waits exactly this long, to simulate a client that is away.
      await new Promise((resolve) => setTimeout(resolve, PING_INTERVAL + PING_TIMEOUT))
      expect((await poll(at, sid)).status).toBe(400)
    })

    it('[protocol-21] WebSocket: pings, and takes pongs', async () => {
      const at = address('pinging')
      const socket = await openSocket(at)
      for (let pings = 0; pings < 3;) {
        const frame = await socket.next()
        if (frame === '2') {
          pings += 1
          for (const answer of ['3', '2taken']) socket.send(answer)
        } else {
          expect(frame).toBe('3taken')
          // After a pong, the alarm stays at the end of `pingTimeout`. Any request makes the object set the alarm for
          // the next ping.
          expect((await fetch(at(''))).status).toBe(400)
        }
      }
    })

    it('[protocol-21] WebSocket: closes a client that does not answer a ping', async () => {
      const socket = await openSocket(address('suite'))
      await expectEnd(socket, mode, NEVER_SPOKE)
    })
  })

  describe('close', () => {
    it('[protocol-28] polling: ends the session and gives the poll back', async () => {
      const at = address()
      const sid = await openPolling(at)
      const [polled] = await Promise.all([poll(at, sid), post(at, sid, '1')])
      expect(polled).toEqual({ status: 200, body: '6' })
      expect((await poll(at, sid)).status).toBe(400)
    })

    it('[protocol-5] WebSocket: closes', async () => {
      const socket = await openSocket(address())
      socket.send('1')
      await socket.closed()
    })
  })

  describe('upgrade', () => {
    it('[protocol-29] moves from polling to a WebSocket', async () => {
      const at = address()
      const sid = await openPolling(at)
      const socket = open(at(`EIO=4&transport=websocket&sid=${sid}`))
      await socket.opened()
      socket.send('2probe')
      expect(await socket.next()).toBe('3probe')
      if (protocol === 'socket') {
        socket.send('5')
        return expectAnswer(socket, 'moved')
      }
      expect(await poll(at, sid)).toEqual({ status: 200, body: '6' })
      socket.send('5')
      socket.send('4hello')
      expect(await socket.nextButPing()).toBe('4hello')
    })

    it('[protocol-29] a poll of the same session is refused after that', async () => {
      const at = address()
      const sid = await openPolling(at)
      const socket = open(at(`EIO=4&transport=websocket&sid=${sid}`))
      await socket.opened()
      await movedTo(socket)
      expect((await poll(at, sid)).status).toBe(400)
      if (protocol === 'socket') return
      socket.send('4hello')
      expect(await socket.nextButPing()).toBe('4hello')
    })

    it('[protocol-29] a second WebSocket of the same session is closed', async () => {
      const at = address()
      const sid = await openPolling(at)
      const socket = open(at(`EIO=4&transport=websocket&sid=${sid}`))
      await socket.opened()
      await movedTo(socket)
      await open(at(`EIO=4&transport=websocket&sid=${sid}`)).closed()
      if (protocol === 'socket') return
      socket.send('4hello')
      expect(await socket.nextButPing()).toBe('4hello')
    })
  })

  /**
   * Upgrades a session to the WebSocket. The client of Socket.IO's own test suite does not wait for the answer to the
   * probe, so with Socket.IO this function does not wait either.
   */
  async function movedTo(socket: FrameSocket): Promise<void> {
    socket.send('2probe')
    if (protocol === 'engine') expect(await socket.next()).toBe('3probe')
    socket.send('5')
    socket.send('2moved')
    if (protocol === 'socket') expect(await socket.next()).toBe('3probe')
    expect(await socket.next()).toBe('3moved')
  }
}

/** The cases that only Engine.IO's suite contains. */
function messageCases(address: () => Address): void {
  describe('message', () => {
    it.each([
      ['one packet', '4hello'],
      ['several packets', '4test1\x1e4test2\x1e4test3'],
      ['text and bytes', '4hello\x1ebAQIDBA=='],
    ])('[protocol-26] polling: sends and receives %s', async (_title, payload) => {
      const at = address()
      const sid = await openPolling(at)
      expect(await post(at, sid, payload)).toEqual({ status: 200, body: 'ok' })
      expect(await poll(at, sid)).toEqual({ status: 200, body: payload })
    })

    it('[protocol-26] polling: an unreadable payload ends the session', async () => {
      const at = address()
      const sid = await openPolling(at)
      expect((await post(at, sid, 'abc')).status).toBe(400)
      expect((await poll(at, sid)).status).toBe(400)
    })

    it('[protocol-28] polling: two polls at once end the session', async () => {
      const at = address()
      const sid = await openPolling(at)
      const [first, second] = await Promise.all([poll(at, sid), poll(at, sid, '&t=burst')])
      expect([first, second].toSorted((a, b) => a.status - b.status)).toMatchObject([
        { status: 200, body: '1' },
        { status: 400 },
      ])
      expect((await poll(at, sid)).status).toBe(400)
    })

    it('[protocol-28] polling: a poll that was called off ends the session', async () => {
      const at = address()
      const sid = await openPolling(at)
      const controller = new AbortController()
      const polled = fetch(at(`EIO=4&transport=polling&sid=${sid}`), { signal: controller.signal }).catch(String)
      await expect.poll(async () => (await fetch(at('requests'))).json()).toBe(2)
      controller.abort()
      expect(await polled).toContain('aborted')
      expect((await poll(at, sid)).status).toBe(400)
    })

    it('[protocol-5] WebSocket: sends and receives text', async () => {
      const socket = await openSocket(address())
      socket.send('4hello')
      expect(await socket.next()).toBe('4hello')
    })

    it('[protocol-18] WebSocket: sends and receives bytes', async () => {
      const socket = await openSocket(address())
      socket.send(Uint8Array.of(1, 2, 3, 4))
      expect(await socket.next()).toEqual(Uint8Array.of(1, 2, 3, 4))
    })

    it('[protocol-5] WebSocket: an unreadable packet closes the socket', async () => {
      const socket = await openSocket(address())
      socket.send('abc')
      await socket.closed()
    })
  })
}

/** The cases of Socket.IO's suite about Socket.IO itself. */
function socketCases(mode: Mode, address: (pace?: Pace) => Address): void {
  describe('connect', () => {
    it.each([
      ['[protocol-7] the main namespace', '40', '40', '42["auth",{}]'],
      ['[protocol-7] the main namespace, with a payload', '40{"token":"123"}', '40', '42["auth",{"token":"123"}]'],
      ['[protocol-33] another namespace', '40/custom,', '40/custom,', '42/custom,["auth",{}]'],
      [
        '[protocol-33] another namespace, with a payload',
        '40/custom,{"token":"abc"}',
        '40/custom,',
        '42/custom,["auth",{"token":"abc"}]',
      ],
    ])('%s', async (_title, connect, prefix, event) => {
      const socket = await openSocket(address())
      socket.send(connect)
      const answer = String(await socket.nextButPing())
      expect(answer.startsWith(prefix)).toBe(true)
      expect(JSON.parse(answer.slice(prefix.length))).toEqual({ sid: expect.stringMatching(/./) })
      expect(await socket.nextButPing()).toBe(event)
    })

    it('[protocol-9] an unknown namespace is refused', async () => {
      const socket = await openSocket(address())
      socket.send('40/random')
      expect(await socket.nextButPing()).toBe('44/random,{"message":"Invalid namespace"}')
    })

    it('[protocol-19] an unreadable packet closes the socket', async () => {
      const socket = await openSocket(address())
      socket.send('4abc')
      await socket.closed()
    })

    it('[protocol-10] closes a client that does not CONNECT', async () => {
      const socket = await openSocket(address('connecting'))
      await expectEnd(socket, mode, NEVER_SPOKE)
    })
  })

  describe('disconnect', () => {
    it('[protocol-33] leaves the main namespace, and the connection stays', async () => {
      const socket = await connect(address())
      socket.send('41')
      await expectAnswer(socket, 'still there')
    })

    it('[protocol-33] joins and leaves another namespace', async () => {
      const socket = await connect(address())
      socket.send('40/custom')
      expect(await socket.nextButPing()).toMatch(/^40\/custom,/)
      expect(await socket.nextButPing()).toBe('42/custom,["auth",{}]')
      socket.send('41/custom')
      socket.send('42["message","message to main namespace"]')
      expect(await socket.nextButPing()).toBe('42["message-back","message to main namespace"]')
    })
  })

  describe('message', () => {
    const placeholders = '{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}'

    it('[protocol-13] an event', async () => {
      const socket = await connect(address())
      socket.send('42["message",1,"2",{"3":[true]}]')
      expect(await socket.nextButPing()).toBe('42["message-back",1,"2",{"3":[true]}]')
    })

    it('[protocol-33] an event with attachments', async () => {
      const socket = await connect(address())
      for (const part of [`452-["message",${placeholders}]`, Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5, 6)]) {
        socket.send(part)
      }
      expect(await socket.nextButPing()).toBe(`452-["message-back",${placeholders}]`)
      expect(await socket.nextButPing()).toEqual(Uint8Array.of(1, 2, 3))
      expect(await socket.nextButPing()).toEqual(Uint8Array.of(4, 5, 6))
    })

    it('[protocol-14] an event with an acknowledgement', async () => {
      const socket = await connect(address())
      socket.send('42456["message-with-ack",1,"2",{"3":[false]}]')
      expect(await socket.nextButPing()).toBe('43456[1,"2",{"3":[false]}]')
    })

    it('[protocol-33] an event with attachments and an acknowledgement', async () => {
      const socket = await connect(address())
      for (const part of [
        `452-789["message-with-ack",${placeholders}]`,
        Uint8Array.of(1, 2, 3),
        Uint8Array.of(4, 5, 6),
      ]) {
        socket.send(part)
      }
      expect(await socket.nextButPing()).toBe(`462-789[${placeholders}]`)
      expect(await socket.nextButPing()).toEqual(Uint8Array.of(1, 2, 3))
      expect(await socket.nextButPing()).toEqual(Uint8Array.of(4, 5, 6))
    })

    it.each([
      ['an unknown packet', '4abc'],
      ['a payload of the wrong shape', '42{}'],
      ['an acknowledgement id that is none', '42abc["message-with-ack",1,"2",{"3":[false]}]'],
    ])('[protocol-19] %s closes', async (_title, frame) => {
      const socket = await connect(address())
      socket.send(frame)
      await socket.closed()
    })
  })
}

function expectOpen(packet: string, upgrades: string[]): void {
  expect(packet.startsWith('0')).toBe(true)
  expect(JSON.parse(packet.slice(1))).toEqual({
    sid: expect.stringMatching(/./),
    upgrades,
    pingInterval: PING_INTERVAL,
    pingTimeout: PING_TIMEOUT,
    maxPayload: 1_000_000,
  })
}

/**
 * Checks that the server has ended the connection. Where workerd differs from the suites, checks only that the client
 * got the close frame.
 */
async function expectEnd(socket: FrameSocket, mode: Mode, departure: typeof NEVER_SPOKE): Promise<void> {
  if (mode === 'awake') return void (await socket.closed())
  await expect.poll(() => socket.ws.readyState, { message: departure }).toBeGreaterThanOrEqual(WebSocket.CLOSING)
}

/**
 * Sends a ping and checks that the next packet is its answer. The client has then received everything that the server
 * sent before.
 */
async function expectAnswer(socket: FrameSocket, data: string): Promise<void> {
  socket.send(`2${data}`)
  expect(await socket.next()).toBe(`3${data}`)
}

function open(url: URL): FrameSocket {
  const socket = new FrameSocket(url)
  sockets.push(socket)
  return socket
}

async function openSocket(at: Address): Promise<FrameSocket> {
  const socket = open(at('EIO=4&transport=websocket'))
  await socket.nextButPing()
  return socket
}

async function connect(at: Address): Promise<FrameSocket> {
  const socket = await openSocket(at)
  socket.send('40')
  await socket.nextButPing()
  await socket.nextButPing()
  return socket
}

async function openPolling(at: Address): Promise<string> {
  const response = await fetch(at('EIO=4&transport=polling'))
  const { sid }: { sid: string } = JSON.parse((await response.text()).slice(1))
  return sid
}

async function poll(at: Address, sid: string, more = ''): Promise<{ status: number; body: string }> {
  const response = await fetch(at(`EIO=4&transport=polling&sid=${sid}${more}`))
  return { status: response.status, body: await response.text() }
}

async function post(at: Address, sid: string, body: string): Promise<{ status: number; body: string }> {
  const response = await fetch(at(`EIO=4&transport=polling&sid=${sid}`), { method: 'POST', body })
  return { status: response.status, body: await response.text() }
}
