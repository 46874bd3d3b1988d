import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { RawClient, connectRaw, echoObject, expectServed, knock, openRaw } from './raw-client.ts'

/** The time limit for things that should happen soon, long enough for a busy machine. */
const POLL = { timeout: 15_000 }

describe('being let in', () => {
  it('[protocol-30] nothing is acted on until it is decided, then CONNECT is answered', async () => {
    const client = await openRaw('admit-later')
    const other = await connectRaw('admit-later')
    client.send('40{"admit":"later"}')
    client.send('40{"second":true}')
    await expect.poll(() => waiting('admit-later'), POLL).toBe(1)
    other.send('42["tell","before"]')
    expect(await other.next()).toBe('42["told","before"]')
    expect((await echoObject('admit-later').report()).connects).toEqual([other.sid])
    await echoObject('admit-later').admit()
    expect(await client.next()).toMatch(/^40\{"sid":/)
    expect(await client.next()).toBe('42["hello",{"auth":{"admit":"later"}}]')
    await expectServed(client)
  })

  it.each([
    ['an event', '42["tell","early"]', { code: 1008, reason: 'not-connected' }],
    ['a farewell', '41', { code: 1008, reason: 'not-connected' }],
    ['a close packet', '1', { code: 1000, reason: 'client-left' }],
  ])(
    '[protocol-11] [protocol-30] %s meanwhile ends it, and it is not let in afterwards',
    async (name, frame, closing) => {
      const client = await openRaw(`admit-${name}`)
      client.send('40{"admit":"later"}')
      client.send(frame)
      expect(await client.closing()).toEqual(closing)
      await echoObject(`admit-${name}`).admit()
      await expectServed(await connectRaw(`admit-${name}`))
      expect(await echoObject(`admit-${name}`).report()).toMatchObject({ connects: [expect.anything()], log: [] })
    },
  )

  it('[protocol-10] [protocol-30] the time to connect runs on', async () => {
    const client = await openRaw('admit-slow')
    client.send('40{"admit":"later"}')
    await expect.poll(() => waiting('admit-slow'), POLL).toBe(1)
    await runInDurableObject(echoObject('admit-slow'), ({ engine }) => engine.runDeadlines(Date.now() + 10_000))
    expect(await client.closing()).toEqual({ code: 4003, reason: 'connect-timeout' })
    await echoObject('admit-slow').admit()
    expect((await echoObject('admit-slow').report()).connects).toEqual([])
  })

  it('[protocol-8] [protocol-30] who is turned away hears it, and never reaches the owner', async () => {
    const client = await openRaw('admit-no')
    client.send('40{"turnAway":true}')
    expect(await client.next()).toBe('44{"message":"turned away"}')
    expect(await echoObject('admit-no').report()).toMatchObject({ peers: [], connects: [] })
    client.send('40')
    expect(await client.next()).toMatch(/^40\{"sid":/)
  })

  it('[protocol-15] [protocol-30] a failure closes, so that the client comes back', async () => {
    const client = await openRaw('admit-fails')
    client.send('40{"admit":"explode"}')
    expect(await client.closing()).toEqual({ code: 1011, reason: 'failed' })
    expect((await echoObject('admit-fails').report()).log).toMatchObject([
      { what: 'connect-failed', error: 'RangeError' },
    ])
  })

  it('[protocol-12] [protocol-30] replaces no other socket before it is let in', async () => {
    const older = await connectRaw('admit-replace', { clientId: 'tab' })
    const newer = await openRaw('admit-replace')
    newer.send('40{"clientId":"tab","admit":"later"}')
    await expect.poll(() => waiting('admit-replace'), POLL).toBe(1)
    await expectServed(older)
    await echoObject('admit-replace').admit()
    expect(await older.next()).toBe('41')
    expect(await older.closing()).toEqual({ code: 4001, reason: 'replaced' })
  })
})

describe('the end of an admission', () => {
  it('[protocol-30] a broadcast passes over who is no longer admitted, and closes it', async () => {
    const expired = await connectRaw('expired', { admit: 0 })
    const stays = await connectRaw('expired', { admit: 60_000 })
    stays.send('42["tell","secret"]')
    expect(await stays.next()).toBe('42["told","secret"]')
    expect(await expired.closing()).toEqual({ code: 4004, reason: 'expired' })
    expect((await echoObject('expired').report()).disconnects).toEqual([expired.sid])
  })

  it('[protocol-30] its events are refused, except renew while there is time', async () => {
    const client = await connectRaw('expired-event', { admit: 0 })
    client.send('421["echo","x"]')
    const refusal = JSON.parse(String(await client.next()).slice(3))
    expect(refusal).toEqual([{ ok: false, next: 'sign-in', code: 'not-admitted', message: expect.any(String) }])
    client.send('422["renew"]')
    expect(await client.next()).toBe('432[{"unknown":"renew"}]')
    await echoObject('expired-event').configure({ renewGrace: 0 })
    client.send('423["renew"]')
    expect(await client.next()).toMatch(/^433\[\{"ok":false,"next":"sign-in"/)
    client.send('42["tell","unheard"]')
    client.send('424["probe"]')
    expect(await client.next()).toMatch(/^434\[\{"ok":false/)
  })

  it('[protocol-30] a renewal lets it go on', async () => {
    const client = await connectRaw('renewed', { admit: 0 })
    await runInDurableObject(echoObject('renewed'), ({ engine }) => {
      for (const peer of engine.peers()) peer.admit(Date.now() + 60_000, { why: 'renewed' })
    })
    await expectServed(client)
    const { peers } = await echoObject('renewed').report()
    expect(peers).toMatchObject([{ admission: { why: 'renewed' } }])
  })

  it('[protocol-3] [protocol-30] its place is the first to be given away', async () => {
    const expired = await connectRaw('expired-place', { admit: 0 })
    await Promise.all(Array.from({ length: 7 }, () => connectRaw('expired-place')))
    await expectServed(await connectRaw('expired-place'))
    expect(await expired.closing()).toEqual({ code: 1013, reason: 'made-room' })
  })
})

describe('where somebody comes from', () => {
  it('[protocol-30] is what the Worker says, and the client cannot', async () => {
    const { webSocket } = await knock('origin', 'EIO=4&transport=websocket', {
      headers: { Upgrade: 'websocket', 'Walkon-Origin': 'https://school.example' },
    })
    if (webSocket === null) throw new Error('refused')
    const client = new RawClient(webSocket)
    await client.next()
    client.send('40{"origin":"https://other.example"}')
    await client.next()
    expect((await echoObject('origin').report()).peers).toMatchObject([{ origin: 'https://school.example' }])
  })
})

function waiting(name: string): Promise<number> {
  return runInDurableObject(echoObject(name), (instance) => instance.waiting)
}
