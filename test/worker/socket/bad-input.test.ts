import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refuseSocket } from '../../../worker/socket/refuse-socket.ts'
import { RawClient, connectRaw, echoObject, expectServed, openRaw } from './raw-client.ts'
import { runs } from '../../support/runs.ts'

const malformed = (detail: string) => ({ code: 1002, reason: `malformed: ${detail}` })

describe('bad input closes its own socket, and the others are served', () => {
  it.each([
    ['[protocol-17] one byte too many', echoFrame(65_537), { code: 1009, reason: 'too-large' }],
    [
      '[protocol-17] few characters, many bytes',
      `42["echo","${'€'.repeat(30_000)}"]`,
      { code: 1009, reason: 'too-large' },
    ],
    ['[protocol-17] a megabyte', 'x'.repeat(2 ** 20), { code: 1009, reason: 'too-large' }],
    ['[protocol-18] binary', new Uint8Array([52, 50]), { code: 1003, reason: 'binary' }],
    ['[protocol-18] nothing, in binary', new Uint8Array(0), { code: 1003, reason: 'binary' }],
    ['[protocol-18] an attachment announced', '451-["echo",{"_placeholder":true,"num":0}]', malformed('attachment')],
    ['[protocol-18] ten thousand attachments', '4510000-["echo"]', malformed('attachment')],
    ['[protocol-5] an empty frame', '', malformed('engine packet')],
    ['[protocol-5] an open packet', '0{}', malformed('engine packet')],
    ['[protocol-5] an upgrade', '5', malformed('engine packet')],
    ['[protocol-5] a noop', '6', malformed('engine packet')],
    ['[protocol-5] an unknown packet', '9', malformed('engine packet')],
    ['[protocol-5] prose', 'hello', malformed('engine packet')],
    ['[protocol-6] an empty message', '4', malformed('unknown-type')],
    ['[protocol-6] an unknown Socket.IO packet', '49', malformed('unknown-type')],
    ['[protocol-6] a refusal from a client', '44{"message":"no"}', malformed('unknown-type')],
    ['[protocol-9] an event for another namespace', '42/ns,["echo"]', { code: 1008, reason: 'not-connected' }],
    ['[protocol-9] a namespace without end', `40/${'n'.repeat(60_000)}`, malformed('namespace')],
    ['[protocol-14] an id past the end', '422147483648["echo"]', malformed('ack-id')],
    ['[protocol-14] an id of a thousand digits', `42${'9'.repeat(1000)}["echo"]`, malformed('ack-id')],
    ['[protocol-19] half of JSON', '42["echo",{"x":', malformed('payload')],
    ['[protocol-19] no JSON', '42say hello', malformed('payload')],
    ['[protocol-19] an event without name', '42[]', malformed('payload')],
    ['[protocol-19] a number for a name', '42[7]', malformed('payload')],
    ['[protocol-19] a reserved name', '42["disconnect"]', malformed('payload')],
    ['[protocol-19] a poisoned body', '42["echo",{"__proto__":{"ready":true}}]', malformed('payload')],
    ['[protocol-19] a poisoned CONNECT', '40{"\\u005f_proto__":{"clientId":"x"}}', malformed('payload')],
    ['[protocol-19] thirty thousand levels', `42["echo",${'['.repeat(30_000)}`, malformed('too-deep')],
    ['[protocol-19] thirty thousand values', `42["echo",[${'0,'.repeat(30_000)}0]]`, malformed('too-many-values')],
  ])('%s', async (title, frame, closing) => {
    const healthy = await connectRaw(title)
    const hostile = await connectRaw(title)
    hostile.send(frame)
    expect(await hostile.closing()).toEqual(closing)
    await expectServed(healthy)
    await expectServed(await connectRaw(title))
    const { log, disconnects } = await echoObject(title).report()
    expect({ log, disconnects }).toEqual({ log: [], disconnects: [hostile.sid] })
  })

  it.each([
    ['[protocol-11] an event', '42["echo"]'],
    ['[protocol-11] an event that wants an answer', '420["echo"]'],
    ['[protocol-11] an answer', '430[]'],
    ['[protocol-11] a farewell', '41'],
  ])('%s before CONNECT', async (title, frame) => {
    const healthy = await connectRaw(title)
    const hostile = await openRaw(title)
    hostile.send(frame)
    expect(await hostile.closing()).toEqual({ code: 1008, reason: 'not-connected' })
    await expectServed(healthy)
  })

  it('[protocol-17] reads a frame of exactly 65536 bytes', async () => {
    const client = await connectRaw('exactly')
    client.send(echoFrame(65_536))
    expect(await client.next()).toBe(echoFrame(65_536))
  })

  it('[protocol-5] answers a ping with its data', async () => {
    const client = await openRaw('ping')
    client.send('2probe')
    expect(await client.next()).toBe('3probe')
    client.send('3')
    client.send('40')
    expect(await client.next()).toMatch(/^40\{"sid":/)
  })

  it('[protocol-33] what a client did not send to its end is forgotten with it', async () => {
    const object = echoObject('half-packet')
    await object.configure({ maxAttachments: 1 })
    const client = await connectRaw('half-packet')
    client.send('451-["echo",{"_placeholder":true,"num":0}]')
    await expect.poll(async () => (await object.report()).kept.readers, { timeout: 15_000 }).toBe(1)
    client.close()
    await client.closing()
    expect((await object.report()).kept.readers).toBe(0)
  })

  it('[protocol-24] no sequence of frames throws or disturbs a healthy peer', { timeout: 180_000 }, async () => {
    const healthy = await connectRaw('fuzz')
    await fc.assert(
      fc.asyncProperty(fc.array(hostileFrame, { minLength: 1, maxLength: 12 }), async (frames) => {
        const hostile = await openRaw('fuzz')
        for (const frame of frames) hostile.send(frame)
        await expectServed(healthy)
        hostile.close()
        await hostile.closing()
      }),
      { numRuns: runs('dear') },
    )
    const { log, peers } = await echoObject('fuzz').report()
    expect(log.filter((entry) => entry.what !== 'event-failed' && entry.what !== 'connect-failed')).toEqual([])
    expect(peers.map((peer) => peer.sid)).toEqual([healthy.sid])
  })
})

/** Returns an echo event of `bytes` bytes in UTF-8, with fewer characters than bytes. */
function echoFrame(bytes: number): string {
  const frame = (text: string) => `42["echo","${text}"]`
  const euros = '€'.repeat(10_000)
  const used = new TextEncoder().encode(frame(euros)).length
  return frame(euros + 'x'.repeat(bytes - used))
}

/**
 * Generates hostile frames. Leaves out `tell`, because the server rightly broadcasts a `tell` to the well-behaved
 * client too.
 */
const hostileFrame: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.constantFrom(
    '40',
    '40{"clientId":"same"}',
    '40{"explode":true}',
    '40{"refuse":true}',
    '41',
    '1',
    '2',
    '3',
    '42["hb"]',
  ),
  fc.constantFrom('42["echo",1]', '420["explode"]', '421["explode-later"]', '422["ack-cycle"]', '43', '430[]', '40/x,'),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'binary' }).map((text) => `4${text}`),
  fc.json().map((json) => `42${json}`),
  fc.json().map((json) => `40${json}`),
  fc.jsonValue().map((value) => `420${JSON.stringify(['echo', value])}`),
  fc.nat(70_000).map((length) => `42["echo","${'x'.repeat(length)}"]`),
  fc.uint8Array(),
)

describe('a client that sends too much', () => {
  it('[protocol-35] is refused, then closed, and the others are served', async () => {
    await echoObject('flood').configure({ maxPacketsTaken: 5, floodLimit: 10 })
    const healthy = await connectRaw('flood')
    const hostile = await connectRaw('flood')
    for (let id = 1; id <= 4; id++) hostile.send(`42${id}["nonsense"]`)
    for (let id = 1; id <= 4; id++) expect(await hostile.next()).toBe(`43${id}[{"unknown":"nonsense"}]`)
    hostile.send('42["tell","unheard"]')
    hostile.send('425["nonsense"]')
    const refusal: unknown = JSON.parse(String(await hostile.next()).slice(3))
    expect(refusal).toMatchObject([{ ok: false, next: 'retry-after', code: 'too-fast' }])
    for (let i = 0; i < 4; i++) hostile.send('42["nonsense"]')
    expect(await hostile.closing()).toEqual({ code: 1008, reason: 'flood' })
    await expectServed(healthy)
    expect((await echoObject('flood').report()).log).toEqual([])
  })
})

describe('a client that is refused without an object', () => {
  it('[protocol-8] is closed when it stays silent', async () => {
    const clock = new ManualWait()
    const client = new RawClient(refusedAt(clock))
    expect(await client.next()).toMatch(/^0/)
    clock.ring()
    expect(await client.closing()).toEqual({ code: 4003, reason: 'connect-timeout' })
  })

  it('[protocol-8] hears why as soon as it speaks, and nothing waits any more', async () => {
    const clock = new ManualWait()
    const client = new RawClient(refusedAt(clock))
    await client.next()
    client.send('40')
    expect(await client.next()).toBe('44{"message":"no","data":null}')
    expect(await client.closing()).toEqual({ code: 1008, reason: 'refused' })
    expect(clock.isCalledOff).toBe(true)
  })

  class ManualWait {
    isCalledOff = false
    ring = () => {}
    after(_ms: number, task: () => void) {
      this.ring = task
      return () => {
        this.isCalledOff = true
      }
    }
  }

  function refusedAt(clock: ManualWait): WebSocket {
    const { webSocket } = refuseSocket({ message: 'no', data: null }, clock)
    if (webSocket === null) throw new Error('there is no socket')
    return webSocket
  }
})
