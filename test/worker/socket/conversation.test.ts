import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { connectRaw, echoObject, expectServed, knock, openRaw } from './raw-client.ts'

describe('opening', () => {
  it('[protocol-4] tells a client with heartbeats to expect no pings', async () => {
    const client = await openRaw('open-hb', '&hb=1')
    const sid = expect.stringMatching(/^[\w-]{22}$/)
    expect(client.opened.startsWith('0{"sid":"')).toBe(true)
    expect(JSON.parse(client.opened.slice(1))).toEqual({
      sid,
      upgrades: [],
      pingInterval: 86_400_000,
      pingTimeout: 60_000,
      maxPayload: 65_536,
    })
  })

  it('[protocol-4] tells any other client how often it is pinged', async () => {
    const client = await openRaw('open-stock')
    expect(JSON.parse(client.opened.slice(1))).toMatchObject({ pingInterval: 300_000, pingTimeout: 60_000 })
  })

  it('[protocol-2] refuses over HTTP what is no handshake', async () => {
    const response = await knock('refusals', 'EIO=3&transport=websocket')
    expect(response.status).toBe(400)
    expect(response.webSocket).toBeNull()
    expect(await response.json()).toEqual({ code: 5, message: 'Unsupported protocol version' })
    expect((await knock('refusals', undefined, { headers: {} })).status).toBe(426)
    await expectServed(await connectRaw('refusals'))
  })

  it('[protocol-3] refuses the ninth connected client with 503, and takes it when another has left', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => connectRaw('crowd')))
    const refused = await knock('crowd')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('Retry-After')).toBe('10')
    clients[3]?.send('41')
    await clients[3]?.closing()
    await expectServed(await connectRaw('crowd'))
    for (const client of clients.toSpliced(3, 1)) await expectServed(client)
  })

  it('[protocol-3] gives the place of the oldest unconnected socket to a newcomer', async () => {
    const first = await openRaw('half-crowd')
    const second = await openRaw('half-crowd')
    const connected = await Promise.all(Array.from({ length: 6 }, () => connectRaw('half-crowd')))
    const newcomer = await connectRaw('half-crowd')
    expect(await first.closing()).toEqual({ code: 1013, reason: 'made-room' })
    second.send('40')
    expect(await second.next()).toMatch(/^40\{"sid":/)
    for (const client of [...connected, newcomer]) await expectServed(client)
  })

  it('[protocol-3] gives the place of a client that stopped its heartbeats to a newcomer', async () => {
    const object = echoObject('ghosts')
    const ghosts = await Promise.all(Array.from({ length: 8 }, () => connectRaw('ghosts', {}, '&hb=1')))
    expect((await knock('ghosts')).status).toBe(503)
    await object.configure({ silenceLimit: 0 })
    await expectServed(await connectRaw('ghosts'))
    const closings = await Promise.race(ghosts.map((ghost) => ghost.closing()))
    expect(closings).toEqual({ code: 1013, reason: 'made-room' })
    expect((await object.report()).peers).toHaveLength(8)
  })
})

describe('connecting', () => {
  it('[protocol-7] answers with an id and nothing else, then with what the owner has to say', async () => {
    const client = await openRaw('connect')
    client.send('40{"v":1}')
    const connected = String(await client.next())
    const { peers } = await echoObject('connect').report()
    expect(connected).toBe(`40{"sid":"${peers[0]?.sid}"}`)
    expect(await client.next()).toBe('42["hello",{"auth":{"v":1}}]')
  })

  it('[protocol-7] takes a CONNECT without a payload, and ignores a second one', async () => {
    const client = await openRaw('connect-bare')
    client.send('40')
    expect(await client.next()).toMatch(/^40\{"sid":"[\w-]{22}"\}$/)
    expect(await client.next()).toBe('42["hello",{"auth":null}]')
    client.send('40{"refuse":true}')
    await expectServed(client)
  })

  it('[protocol-8] refuses with message and data, and keeps the refused out of broadcasts', async () => {
    const client = await openRaw('refuse')
    client.send('40{"refuse":true,"clientId":"tab"}')
    expect(await client.next()).toBe('44{"message":"refused","data":{"code":"test"}}')
    expect((await echoObject('refuse').report()).peers).toEqual([])
    client.send('40')
    expect(await client.next()).toMatch(/^40\{"sid":/)
  })

  it('[protocol-8] a refused newcomer does not replace the tab whose name it uses', async () => {
    const owner = await connectRaw('refuse-thief', { clientId: 'tab' })
    const thief = await openRaw('refuse-thief')
    thief.send('40{"refuse":true,"clientId":"tab"}')
    await thief.next()
    await expectServed(owner)
  })

  it('[protocol-9] knows no other namespace', async () => {
    const client = await openRaw('namespace')
    client.send('40/random,')
    expect(await client.next()).toBe('44/random,{"message":"Invalid namespace"}')
    client.send('40')
    expect(await client.next()).toMatch(/^40\{"sid":/)
  })

  it('[protocol-15] closes with 1011 when the owner fails while a client connects, so that it comes back', async () => {
    const client = await openRaw('connect-explodes')
    client.send('40{"explode":true}')
    expect(await client.closing()).toEqual({ code: 1011, reason: 'failed' })
    const { log, peers, disconnects } = await echoObject('connect-explodes').report()
    expect(log).toEqual([
      { what: 'connect-failed', incident: expect.any(String), sid: expect.any(String), error: 'RangeError' },
    ])
    expect({ peers, disconnects }).toEqual({ peers: [], disconnects: [] })
    await expectServed(await connectRaw('connect-explodes'))
  })

  it('[protocol-23] the owner can close a socket instead of letting it connect', async () => {
    const older = await connectRaw('connect-closed', { clientId: 'tab' })
    const closed = await openRaw('connect-closed')
    closed.send('40{"close":true,"clientId":"tab"}')
    expect(await closed.closing()).toEqual({ code: 1011, reason: 'failed: not now' })
    await expectServed(older)
    expect(await echoObject('connect-closed').report()).toMatchObject({ peers: [{ sid: older.sid }], disconnects: [] })
  })

  it('[protocol-12] the newest socket of a tab replaces the older one, and no other tab', async () => {
    const older = await connectRaw('replace', { clientId: 'tab-1' })
    const other = await connectRaw('replace', { clientId: 'tab-2' })
    const nameless = await connectRaw('replace')
    const newer = await connectRaw('replace', { clientId: 'tab-1' })
    expect(await older.next()).toBe('41')
    expect(await older.closing()).toEqual({ code: 4001, reason: 'replaced' })
    const { peers, disconnects } = await echoObject('replace').report()
    expect(peers).toHaveLength(3)
    expect(new Set(peers.map((peer) => peer.clientId))).toEqual(new Set(['tab-1', 'tab-2', null]))
    expect(disconnects).toEqual([older.sid])
    for (const client of [other, nameless, newer]) await expectServed(client)
  })

  it.each([[''], ['x'.repeat(65)], [7], [null], [{}]])('[protocol-12] takes %j for no name', async (clientId) => {
    const name = `no-name-${JSON.stringify(clientId).length}-${typeof clientId}`
    const first = await connectRaw(name, { clientId })
    const second = await connectRaw(name, { clientId })
    await expectServed(first)
    await expectServed(second)
  })
})

describe('events', () => {
  it('[protocol-13] [protocol-14] go both ways, with and without an answer', async () => {
    const client = await connectRaw('events')
    client.send('42["echo",{"x":"ü"}]')
    expect(await client.next()).toBe('42["echo",{"x":"ü"}]')
    client.send('422147483647["echo",[1]]')
    expect(await client.next()).toBe('42["echo",[1]]')
    expect(await client.next()).toBe('432147483647[{"echoed":[1]}]')
    client.send('420["probe"]')
    expect(await client.next()).toBe('430[{"unknown":"probe"}]')
  })

  it('[protocol-14] answers an event once, and ignores answers it did not ask for', async () => {
    const client = await connectRaw('ack-twice')
    client.send('421["ack-twice"]')
    expect(await client.next()).toBe('431[1]')
    client.send('431["unasked"]')
    await expectServed(client)
  })

  it('[protocol-24] a broadcast reaches every connected client and no other', async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => connectRaw('broadcast')))
    const unconnected = await openRaw('broadcast')
    clients[0]?.send('42["tell",{"n":1}]')
    for (const client of clients) expect(await client.next()).toBe('42["told",{"n":1}]')
    unconnected.send('40')
    expect(await unconnected.next()).toMatch(/^40\{"sid":/)
  })

  it('[protocol-24] a socket that cannot be written to does not stop a broadcast', async () => {
    const clients = await Promise.all(Array.from({ length: 3 }, () => connectRaw('broadcast-broken')))
    await runInDurableObject(echoObject('broadcast-broken'), (instance, state) => {
      const broken = state.getWebSockets().find((ws) => ws.deserializeAttachment().seats[0]?.sid === clients[1]?.sid)
      if (broken === undefined) throw new Error('the socket is not there')
      broken.send = () => {
        throw new TypeError('broken')
      }
      instance.engine.broadcast('told', 2)
    })
    expect(await clients[0]?.next()).toBe('42["told",2]')
    expect(await clients[2]?.next()).toBe('42["told",2]')
  })

  it.each(['explode', 'explode-later', 'ack-cycle'])(
    '[protocol-15] answers for an owner that fails (%s)',
    async (event) => {
      const client = await connectRaw(event)
      client.send(`425["${event}",{"text":"my secret"}]`)
      const answer = String(await client.next())
      expect(answer.startsWith('435[')).toBe(true)
      const { log } = await echoObject(event).report()
      const [{ incident } = { incident: 'none' }] = log
      expect(JSON.parse(answer.slice(3))).toEqual([
        {
          ok: false,
          next: 'retry-after',
          code: 'unavailable',
          message: `Something went wrong on our side. Try again in a moment. (Incident ${incident})`,
        },
      ])
      expect(JSON.stringify(log)).not.toContain('secret')
      await expectServed(client)
    },
  )

  it('[protocol-15] logs a failure even if no client waits for the answer', async () => {
    const client = await connectRaw('explode-silently')
    client.send('42["explode"]')
    await expectServed(client)
    const { log } = await echoObject('explode-silently').report()
    expect(log).toEqual([{ what: 'event-failed', incident: expect.any(String), sid: client.sid, error: 'RangeError' }])
  })

  it.each([
    ['41', 'leave-socket-io'],
    ['1', 'leave-engine-io'],
  ])('[protocol-16] %j leaves, and nothing after it is read', async (frame, name) => {
    const stays = await connectRaw(name)
    const leaves = await connectRaw(name)
    leaves.send(frame)
    leaves.send('42["tell","from beyond"]')
    expect(await leaves.closing()).toEqual({ code: 1000, reason: 'client-left' })
    await expectServed(stays)
    const { peers, disconnects } = await echoObject(name).report()
    expect(peers.map((peer) => peer.sid)).toEqual([stays.sid])
    expect(disconnects).toEqual([leaves.sid])
  })

  it('[protocol-16] a client that just closes is forgotten, once', async () => {
    const client = await connectRaw('close')
    client.close()
    await client.closing()
    const { peers, disconnects } = await echoObject('close').report()
    expect({ peers, disconnects }).toEqual({ peers: [], disconnects: [client.sid] })
  })

  it('[protocol-16] a client that left cannot come back on the same socket', async () => {
    const leaves = await connectRaw('leave-return')
    for (const frame of ['41', '40', '42["tell","from beyond"]']) leaves.send(frame)
    await leaves.closing()
    const { peers, connects, disconnects } = await echoObject('leave-return').report()
    expect({ peers, connects, disconnects }).toEqual({ peers: [], connects: [leaves.sid], disconnects: [leaves.sid] })
  })

  it('[protocol-15] an owner that fails while a client leaves does not keep it, nor disturb others', async () => {
    const stays = await connectRaw('leave-explodes')
    const leaves = await connectRaw('leave-explodes', { clientId: 'explode-on-leave' })
    leaves.send('41')
    expect(await leaves.closing()).toEqual({ code: 1000, reason: 'client-left' })
    await expectServed(stays)
    const { log, peers } = await echoObject('leave-explodes').report()
    expect(log).toMatchObject([{ what: 'disconnect-failed', sid: leaves.sid, error: 'RangeError' }])
    expect(peers.map((peer) => peer.sid)).toEqual([stays.sid])
  })

  it('[protocol-23] the owner closes a socket with a named reason, and is not told of it', async () => {
    const kicked = await connectRaw('kick')
    kicked.send('42["kick"]')
    expect(await kicked.closing()).toEqual({ code: 1011, reason: 'failed: kicked' })
    expect(await echoObject('kick').report()).toMatchObject({ peers: [], disconnects: [], log: [] })
  })
})
