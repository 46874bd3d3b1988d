import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { PollingClient } from './polling-client.ts'
import { RawClient, connectRaw, echoObject, expectServed, knock, openRaw } from './raw-client.ts'
import { IS_LONG } from '../../support/runs.ts'

const UNKNOWN = { status: 400, body: '{"code":1,"message":"Session ID unknown"}' }
const BAD = { status: 400, body: '{"code":3,"message":"Bad request"}' }
const NOTHING_KEPT = { polling: 0, probes: 0, awake: 0, readers: 0 }

describe('a client that polls', () => {
  it('[protocol-4] [protocol-25] opens, and is offered the upgrade', async () => {
    const client = await PollingClient.open('poll-open', '&hb=1')
    expect(JSON.parse(client.opened.slice(1))).toEqual({
      sid: expect.stringMatching(/^[\w-]{22}$/),
      upgrades: ['websocket'],
      pingInterval: 86_400_000,
      pingTimeout: 60_000,
      maxPayload: 65_536,
    })
  })

  it('[protocol-7] [protocol-25] connects, and gets CONNECT and what the owner says in one answer', async () => {
    const client = await PollingClient.open('poll-connect')
    const polled = client.packets()
    expect(await client.post('40{"v":1}')).toEqual({ status: 200, body: 'ok' })
    const [connected, hello] = await polled
    const { peers } = await echoObject('poll-connect').report()
    expect(connected).toBe(`40{"sid":"${peers[0]?.sid}"}`)
    expect(hello).toBe('42["hello",{"auth":{"v":1}}]')
    expect(peers).toMatchObject([{ transport: 'polling', ready: true }])
    // The records of the connected clients (`peers`) must not contain the transport's session id: with this id, anyone
    // could poll in the client's place.
    expect(JSON.stringify(peers)).not.toContain(client.sid)
  })

  it('[protocol-25] is no connection of another page, which may have learned its id', async () => {
    const client = await PollingClient.connect('poll-page')
    for (const query of [client.query(), client.query('websocket')]) {
      const response = await knock('poll-page', query, {
        headers: { 'Walkon-Origin': 'https://other.example', Upgrade: 'websocket' },
      })
      expect({ status: response.status, body: await response.text() }).toEqual(UNKNOWN)
    }
    await client.post('421["echo","a"]')
    expect(await client.packets()).toContain('431[{"echoed":"a"}]')
  })

  it('[protocol-13] [protocol-14] [protocol-24] [protocol-25] sends events, is answered, and hears broadcasts like any other', async () => {
    const polling = await PollingClient.connect('poll-events')
    const socket = await connectRaw('poll-events')
    expect((await polling.post('421["echo","a"]\x1e422["tell","b"]')).body).toBe('ok')
    expect(await polling.packets()).toEqual([
      '42["echo","a"]',
      '431[{"echoed":"a"}]',
      '42["told","b"]',
      '432[{"told":true}]',
    ])
    expect(await socket.next()).toBe('42["told","b"]')
  })

  it('[protocol-20] [protocol-25] has its heartbeat answered', async () => {
    const client = await PollingClient.connect('poll-hb', {}, '&hb=1')
    await client.post('42["hb"]')
    expect(await client.packets()).toEqual(['42["hb",1]'])
  })

  it('[protocol-15] [protocol-25] hears of a failure of the owner', async () => {
    const client = await PollingClient.connect('poll-failure')
    expect((await client.post('425["explode-later"]')).body).toBe('ok')
    expect((await client.packets())[0]).toMatch(/^435\[\{"ok":false,"next":"retry-after"/)
  })

  it('[protocol-16] [protocol-25] leaves', async () => {
    const stays = await connectRaw('poll-leave')
    const leaves = await PollingClient.connect('poll-leave')
    expect((await leaves.post('41\x1e42["tell","from beyond"]')).body).toBe('ok')
    await expectServed(stays)
    const { peers, disconnects, kept } = await echoObject('poll-leave').report()
    expect(peers).toHaveLength(1)
    expect(disconnects).toHaveLength(1)
    // The engine still keeps the session of the client that has left (`leaves`), because a poll of this client may be
    // pending.
    expect(kept.polling).toBe(1)
    expect(await leaves.poll()).toEqual({ status: 200, body: '6' })
    expect(await leaves.poll()).toEqual(UNKNOWN)
    expect((await echoObject('poll-leave').report()).kept).toEqual(NOTHING_KEPT)
  })

  it('[protocol-12] [protocol-28] hears that a newer connection of its tab has replaced it', async () => {
    const older = await PollingClient.connect('poll-replaced', { clientId: 'tab' })
    const newer = await connectRaw('poll-replaced', { clientId: 'tab' })
    expect(await older.poll()).toEqual({ status: 200, body: '41' })
    expect(await older.poll()).toEqual({ status: 200, body: '1' })
    expect(await older.poll()).toEqual(UNKNOWN)
    await expectServed(newer)
  })

  it('[protocol-3] [protocol-25] takes a place, and loses it to a newcomer while it has not connected', async () => {
    const idle = await PollingClient.open('poll-crowd')
    await Promise.all(Array.from({ length: 7 }, () => PollingClient.connect('poll-crowd')))
    await PollingClient.connect('poll-crowd')
    expect(await idle.poll()).toEqual(UNKNOWN)
    expect((await knock('poll-crowd', 'EIO=4&transport=polling', { headers: {} })).status).toBe(503)
  })
})

describe('payloads', () => {
  it.each([
    ['[protocol-26] what is no packet', 'hello', BAD],
    ['[protocol-26] nothing', '', BAD],
    ['[protocol-26] an empty packet among others', '2\x1e\x1e2', BAD],
    ['[protocol-18] [protocol-26] bytes', 'bAQIDBA==', BAD],
    ['[protocol-26] base64 that is none', 'b***', BAD],
    ['[protocol-26] a thousand packets and one', Array(1001).fill('3').join('\x1e'), BAD],
    [
      '[protocol-17] [protocol-26] a byte too many',
      '4'.repeat(65_537),
      { status: 413, body: expect.stringContaining('too large') },
    ],
    ['[protocol-11] [protocol-26] an event before CONNECT', '42["echo"]', BAD],
    ['[protocol-19] [protocol-26] a poisoned body', '42["echo",{"__proto__":1}]', BAD],
  ])('%s ends the session, and no other', async (title, payload, answer) => {
    const healthy = await connectRaw(title)
    const hostile = await PollingClient.open(title)
    expect(await hostile.post(payload)).toEqual(answer)
    expect(await hostile.poll()).toEqual(UNKNOWN)
    await expectServed(healthy)
    expect((await echoObject(title).report()).kept).toEqual(NOTHING_KEPT)
  })

  it('[protocol-17] [protocol-26] does not wait for the end of a body that is too large', async () => {
    const client = await PollingClient.connect('poll-endless')
    const chunk = new Uint8Array(16_384).fill(52)
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk) })
    expect((await client.post(endless)).status).toBe(413)
  })

  it('[protocol-26] takes a thousand packets at once', async () => {
    const client = await PollingClient.connect('poll-many')
    const numbers = Array.from({ length: 1000 }, (_, n) => n)
    expect((await client.post(numbers.map((n) => `42["echo",${n}]`).join('\x1e'))).body).toBe('ok')
    expect(await client.packets()).toEqual(numbers.map((n) => `42["echo",${n}]`))
  })

  it('[protocol-28] a second POST while one is being read ends the session', async () => {
    const client = await PollingClient.connect('poll-two-posts')
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const first = client.post(readable)
    await writer.write(new TextEncoder().encode('42["tell",'))
    // If the second POST arrives before the server reads the first one, the server accepts the second POST. The test
    // then sends another.
    await vi.waitFor(async () => expect(await client.post('42["echo",1]')).toEqual(BAD))
    await writer.write(new TextEncoder().encode('1]'))
    await writer.close()
    expect(await first).toEqual(BAD)
    expect((await client.poll()).status).toBe(400)
    expect(await echoObject('poll-two-posts').report()).toMatchObject({ peers: [], kept: NOTHING_KEPT })
  })
})

describe('waiting', () => {
  it('[protocol-27] a poll with nothing to fetch is given back', async () => {
    await echoObject('poll-idle').configure({ pollIdle: 5 })
    const client = await PollingClient.connect('poll-idle')
    expect(await client.poll()).toEqual({ status: 200, body: '6' })
    await client.post('42["echo",1]')
    expect(await client.packets()).toEqual(['42["echo",1]'])
  })

  it('[protocol-21] [protocol-27] a client without heartbeats is pinged, and closed when it does not answer', async () => {
    await echoObject('poll-ping').configure({ pingInterval: 10_000 })
    const client = await PollingClient.connect('poll-ping')
    await runAt('poll-ping', 10_000)
    expect(await client.packets()).toEqual(['2'])
    await client.post('3')
    await client.post('420["probe"]')
    expect(await client.packets()).toEqual(['430[{"unknown":"probe"}]'])
    await runAt('poll-ping', 20_000)
    expect(await client.packets()).toEqual(['2'])
    await runAt('poll-ping', 81_000)
    expect(await client.poll()).toEqual(UNKNOWN)
  })

  it('[protocol-27] a client that stopped polling is gone, heartbeats or not', async () => {
    const opening = Date.now()
    const client = await PollingClient.connect('poll-gone', {}, '&hb=1')
    expect((await echoObject('poll-gone').report()).alarm).not.toBeNull()
    await runWhen('poll-gone', opening + 79_999)
    expect((await echoObject('poll-gone').report()).peers).toHaveLength(1)
    await runAt('poll-gone', 140_000)
    expect(await echoObject('poll-gone').report()).toMatchObject({ peers: [], kept: NOTHING_KEPT })
    expect((await echoObject('poll-gone').report()).disconnects).toHaveLength(1)
    expect(await client.poll()).toEqual(UNKNOWN)
  })

  it('[protocol-27] after the object slept its sid is unknown, and the client may open a new connection', async () => {
    const client = await PollingClient.connect('poll-sleep')
    await evictDurableObject(echoObject('poll-sleep'))
    expect(await client.poll()).toEqual(UNKNOWN)
    expect(await client.post('42["echo",1]')).toEqual(UNKNOWN)
    await PollingClient.connect('poll-sleep')
  })

  it('[protocol-31] a client that fetches nothing is closed when too much waits for it', async () => {
    await echoObject('poll-slow').configure({ backlogLimit: 10_000 })
    const slow = await PollingClient.connect('poll-slow')
    const healthy = await PollingClient.connect('poll-slow')
    for (let round = 0; round < 3; round++) {
      await healthy.post('421["flood",4000]')
      expect(await healthy.packets()).toEqual([`42["flooded","${'x'.repeat(4000)}"]`, '431[{"flooded":4000}]'])
    }
    expect(await slow.poll()).toEqual(UNKNOWN)
    const { peers, disconnects, kept } = await echoObject('poll-slow').report()
    expect([peers.length, disconnects.length, kept.polling]).toEqual([1, 1, 1])
  })

  it('[protocol-28] a second GET ends the session, and the owner hears of it', async () => {
    const client = await PollingClient.connect('poll-two-gets')
    const answers = await Promise.all([client.poll(), client.poll()])
    expect(answers).toContainEqual(BAD)
    expect(answers).toContainEqual({ status: 200, body: '1' })
    expect((await echoObject('poll-two-gets').report()).disconnects).toHaveLength(1)
  })

  it.runIf(IS_LONG)('[protocol-28] of the closed, no more is kept than there are places', async () => {
    for (let round = 0; round < 30; round++) {
      const client = await PollingClient.connect('poll-ghosts')
      await client.post('1')
    }
    expect((await echoObject('poll-ghosts').report()).kept.polling).toBe(8)
  })
})

describe('the upgrade', () => {
  it('[protocol-29] goes on with everything as it was, and what was not fetched comes by the WebSocket', async () => {
    const client = await PollingClient.connect('up', { clientId: 'tab' })
    const [before] = (await echoObject('up').report()).peers
    const socket = await probe(client)
    expect(await client.poll()).toEqual({ status: 200, body: '6' })
    await client.post('42["echo","still"]')
    socket.send('5')
    expect(await socket.next()).toBe('42["echo","still"]')
    await expectServed(socket)
    const { peers, kept, disconnects, connects } = await echoObject('up').report()
    expect(peers).toEqual([{ ...before, transport: 'websocket' }])
    expect({ kept, disconnects, connects }).toEqual({ kept: NOTHING_KEPT, disconnects: [], connects: [before?.sid] })
    expect(await client.poll()).toEqual(BAD)
    expect(await client.post('3')).toEqual(BAD)
  })

  it('[protocol-22] [protocol-29] the WebSocket sleeps as any other', async () => {
    const client = await PollingClient.connect('up-sleep')
    const socket = await probe(client)
    socket.send('5')
    await expectServed(socket)
    await evictDurableObject(echoObject('up-sleep'))
    await expectServed(socket)
    const refused = new RawClient(await upgrade(client))
    expect(await refused.closing()).toMatchObject({ code: 1008 })
  })

  it('[protocol-29] a Peer made while the client polled reaches its WebSocket', async () => {
    const client = await PollingClient.connect('up-held')
    const [peer] = await runInDurableObject(echoObject('up-held'), (instance) => {
      const peers = instance.engine.peers()
      Reflect.set(instance, 'heldPeer', peers[0])
      return peers.map(({ sid }) => sid)
    })
    const socket = await probe(client)
    socket.send('5')
    await expectServed(socket)
    await runInDurableObject(echoObject('up-held'), (instance) => {
      Reflect.get(instance, 'heldPeer').emit('late', peer)
    })
    expect(await socket.next()).toBe(`42["late","${peer}"]`)
  })

  it('[protocol-12] [protocol-29] a client that is replaced while it moves hears it by its WebSocket', async () => {
    const older = await PollingClient.connect('up-replaced', { clientId: 'tab' })
    const socket = await probe(older)
    await connectRaw('up-replaced', { clientId: 'tab' })
    socket.send('5')
    expect(await socket.next()).toBe('41')
    expect(await socket.closing()).toEqual({ code: 4001, reason: 'replaced' })
    const { disconnects, kept } = await echoObject('up-replaced').report()
    expect({ disconnects: disconnects.length, kept }).toEqual({ disconnects: 1, kept: NOTHING_KEPT })
  })

  it('[protocol-29] a probe that ends leaves the client polling', async () => {
    const client = await PollingClient.connect('up-fails')
    const socket = await probe(client)
    socket.close()
    await socket.closing()
    await client.post('420["probe"]')
    expect(await client.packets()).toEqual(['430[{"unknown":"probe"}]'])
    await expectServed(await finish(await probe(client)))
  })

  it.each([
    ['42["tell","not yet"]', 'an event'],
    ['40', 'a CONNECT'],
    ['4', 'nonsense'],
  ])('[protocol-29] a WebSocket that says %s instead of upgrading is closed', async (frame, name) => {
    const client = await PollingClient.connect(`up-odd-${name}`)
    const socket = await probe(client)
    socket.send(frame)
    expect(await socket.closing()).toMatchObject({ code: 1008 })
    expect((await echoObject(client.name).report()).kept).toMatchObject({ polling: 1, probes: 0 })
    await client.post('420["probe"]')
    expect(await client.packets()).toEqual(['430[{"unknown":"probe"}]'])
  })

  it('[protocol-29] a WebSocket that was given up cannot have the connection any more', async () => {
    const client = await PollingClient.connect('up-given-up')
    const socket = await probe(client)
    socket.send('4')
    socket.send('5')
    expect(await socket.closing()).toMatchObject({ code: 1008 })
    await client.post('420["probe"]')
    expect(await client.packets()).toEqual(['430[{"unknown":"probe"}]'])
    await expectServed(await finish(await probe(client)))
  })

  it('[protocol-10] [protocol-29] a WebSocket that never upgrades is closed', async () => {
    const client = await PollingClient.connect('up-silent')
    const socket = await probe(client)
    const due = await runInDurableObject(echoObject('up-silent'), ({ engine }) => engine.nextDeadline(Date.now()))
    expect(due).toBeLessThanOrEqual(Date.now() + 10_000)
    await runAt('up-silent', 11_000)
    expect(await socket.closing()).toMatchObject({ code: 1008 })
    expect((await client.post('3')).body).toBe('ok')
  })

  it('[protocol-29] a second WebSocket for the same session is closed, and the first goes on', async () => {
    const client = await PollingClient.connect('up-twice')
    const socket = await probe(client)
    const second = new RawClient(await upgrade(client))
    expect(await second.closing()).toMatchObject({ code: 1008 })
    await expectServed(await finish(socket))
  })

  it('[protocol-2] [protocol-29] a WebSocket for a session that there is not is refused', async () => {
    const response = await knock('up-unknown', 'EIO=4&transport=websocket&sid=nobody')
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ code: 1, message: 'Session ID unknown' })
    expect((await openRaw('up-unknown')).opened).toContain('"upgrades":[]')
  })

  it('[protocol-27] [protocol-29] an object that slept in the middle closes the WebSocket', async () => {
    const client = await PollingClient.connect('up-evicted')
    const socket = await probe(client)
    await evictDurableObject(echoObject('up-evicted'))
    socket.send('5')
    expect(await socket.closing()).toMatchObject({ code: 1008 })
    expect((await echoObject('up-evicted').report()).kept).toEqual(NOTHING_KEPT)
  })
})

async function upgrade(client: PollingClient): Promise<WebSocket> {
  const { webSocket } = await knock(client.name, client.query('websocket'))
  if (webSocket === null) throw new Error('there is no WebSocket')
  return webSocket
}

/** Opens the WebSocket to which the polling client is to upgrade. Sends the probe and waits for the server's answer. */
async function probe(client: PollingClient): Promise<RawClient> {
  const socket = new RawClient(await upgrade(client))
  socket.send('2probe')
  expect(await socket.next()).toBe('3probe')
  return socket
}

async function finish(socket: RawClient): Promise<RawClient> {
  socket.send('5')
  return socket
}

/** Runs the engine's deadlines as the alarm does, `ms` milliseconds from now. */
function runAt(name: string, ms: number): Promise<void> {
  return runWhen(name, Date.now() + ms)
}

function runWhen(name: string, at: number): Promise<void> {
  return runInDurableObject(echoObject(name), (instance) => instance.engine.runDeadlines(at))
}
