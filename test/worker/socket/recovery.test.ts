import { describe, expect, it } from 'vitest'
import { isOurPid, issuePid, type Recovery } from '../../../worker/socket/recovery.ts'
import { connectRaw, echoObject, openRaw } from './raw-client.ts'
import type { RawClient } from './raw-client.ts'

describe('coming back', () => {
  it('[protocol-32] a client gets an id, and its events carry offsets', async () => {
    await recovering('csr')
    const client = await openRaw('csr')
    const { sid, pid } = await connectFor(client, {})
    expect(pid).toMatch(/^[\w-]{22}\.[\w-]{43}$/)
    expect(pid).not.toContain(sid)
    client.send('42["log",{"n":1}]')
    expect(await client.next()).toBe('42["logged",{"n":1},"o1"]')
    client.send('42["tell",{"n":2}]')
    expect(await client.next()).toBe('42["told",{"n":2}]')
  })

  it('[protocol-32] the same id comes back first, then what was missed, then what the owner says', async () => {
    await recovering('csr-back')
    const { pid } = await connectFor(await openRaw('csr-back'), {})
    const other = await connectRaw('csr-back', {}, '&hb=1')
    for (const n of [1, 2, 3]) other.send(`42["log",${n}]`)
    for (const n of [1, 2, 3]) expect(await other.next()).toBe(`42["logged",${n}]`)
    const back = await openRaw('csr-back')
    back.send(JSON.stringify({ pid, offset: 'o1' }).replace(/^/, '40'))
    const [connected, two, three, hello] = [await back.next(), await back.next(), await back.next(), await back.next()]
    expect(JSON.parse(String(connected).slice(2))).toEqual({ sid: expect.any(String), pid })
    expect([two, three]).toEqual(['42["logged",2,"o2"]', '42["logged",3,"o3"]'])
    expect(hello).toBe(`42["hello",{"auth":${JSON.stringify({ pid, offset: 'o1' })},"recovered":true}]`)
  })

  it('[protocol-32] without an offset everything was missed', async () => {
    await recovering('csr-zero')
    const client = await openRaw('csr-zero')
    const { pid } = await connectFor(client, {})
    client.send('42["log",1]')
    await client.next()
    const back = await openRaw('csr-zero')
    back.send(`40${JSON.stringify({ pid })}`)
    expect(JSON.parse(String(await back.next()).slice(2))).toMatchObject({ pid })
    expect(await back.next()).toBe('42["logged",1,"o1"]')
  })

  it.each([
    ['made up', () => `${'A'.repeat(22)}.${'A'.repeat(43)}`],
    ['changed', (pid: string) => `${pid.startsWith('A') ? 'B' : 'A'}${pid.slice(1)}`],
    ['cut', (pid: string) => pid.slice(0, -1)],
    ['of another kind', () => 7],
    ['empty', () => ''],
  ])('[protocol-32] an id that is %s starts anew', async (name, change) => {
    await recovering(`csr-${name}`)
    const client = await openRaw(`csr-${name}`)
    const { pid } = await connectFor(client, {})
    client.send('42["log",1]')
    await client.next()
    const auth = { pid: change(pid), offset: 'o0' }
    const anew = await connectFor(await openRaw(`csr-${name}`), auth)
    expect(anew.pid).not.toBe(pid)
    expect(anew.hello).toBe(`42["hello",${JSON.stringify({ auth })}]`)
  })

  it('[protocol-32] a client with the id of another conversation starts over', async () => {
    await recovering('csr-home')
    await recovering('csr-foreign')
    const { pid } = await connectFor(await openRaw('csr-home'), {})
    const anew = await connectFor(await openRaw('csr-foreign'), { pid })
    expect(anew.pid).not.toBe(pid)
    expect(anew.hello).not.toContain('recovered')
  })

  it('[protocol-32] refuses an id that was made for another log', async () => {
    const recovery = (log: string): Recovery => ({
      secret: () => new Uint8Array(32),
      log: () => log,
      missedSince: () => null,
    })
    const pid = await issuePid(recovery('one'))
    expect([await isOurPid(recovery('one'), pid), await isOurPid(recovery('two'), pid)]).toEqual([true, false])
  })

  it.each([['o9'], ['x'], [5], [{}], [null]])(
    '[protocol-32] with the offset %j, which is none, it starts anew',
    async (offset) => {
      const name = `csr-offset-${JSON.stringify(offset)}`
      await recovering(name)
      const { pid } = await connectFor(await openRaw(name), {})
      const anew = await connectFor(await openRaw(name), { pid, offset })
      expect(anew.pid).not.toBe(pid)
      expect(anew.hello).not.toContain('recovered')
    },
  )

  it('[protocol-30] [protocol-32] authorises nothing else: who is not let in stays out', async () => {
    await recovering('csr-out')
    const { pid } = await connectFor(await openRaw('csr-out'), {})
    const out = await openRaw('csr-out')
    out.send(`40${JSON.stringify({ pid, turnAway: true })}`)
    expect(await out.next()).toBe('44{"message":"turned away"}')
  })

  it.each(['&hb=1', '&recovery=0'])('[protocol-7] [protocol-32] with %s there is neither', async (query) => {
    const name = `csr-without-${query.slice(1, 3)}`
    await recovering(name)
    const client = await openRaw(name, query)
    client.send('40')
    expect(await client.next()).toMatch(/^40\{"sid":"[\w-]{22}"\}$/)
    await client.next()
    client.send('42["log",1]')
    expect(await client.next()).toBe('42["logged",1]')
  })
})

async function recovering(name: string): Promise<void> {
  await echoObject(name).configure({ recovery: true })
}

/** Sends CONNECT, and reads the answer and the `hello`. */
async function connectFor(client: RawClient, auth: object): Promise<{ sid: string; pid: string; hello: unknown }> {
  client.send(`40${JSON.stringify(auth)}`)
  const answer: { sid: string; pid: string } = JSON.parse(String(await client.next()).slice(2))
  return { ...answer, hello: await client.next() }
}
