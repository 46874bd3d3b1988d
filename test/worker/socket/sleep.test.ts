import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { connectRaw, echoObject, expectServed, openRaw } from './raw-client.ts'
import type { RawClient } from './raw-client.ts'

describe('sleeping', () => {
  it('[protocol-22] the object wakes with every peer as it was', async () => {
    const object = echoObject('sleep')
    const clients = [await connectRaw('sleep', { clientId: 'tab' }, '&hb=1'), await connectRaw('sleep')]
    const before = await object.report()
    expect(before.peers).toHaveLength(2)
    await evictDurableObject(object)
    const after = await object.report()
    expect(after.constructions).toBe(before.constructions + 1)
    expect(after.peers).toEqual(before.peers)
    for (const client of clients) await expectServed(client)
  })

  it('[protocol-22] a frame wakes the object and is answered, and broadcasts reach all', async () => {
    const object = echoObject('sleep-frame')
    const [one, two] = [await connectRaw('sleep-frame'), await connectRaw('sleep-frame')]
    await evictDurableObject(object)
    one.send('421["tell","awake"]')
    expect(await one.next()).toBe('42["told","awake"]')
    expect(await one.next()).toBe('431[{"told":true}]')
    expect(await two.next()).toBe('42["told","awake"]')
  })

  it('[protocol-22] a socket that was opened before the sleep can connect after it', async () => {
    const client = await openRaw('sleep-half')
    await evictDurableObject(echoObject('sleep-half'))
    client.send('40{"v":1}')
    expect(await client.next()).toMatch(/^40\{"sid":/)
    expect(await client.next()).toBe('42["hello",{"auth":{"v":1}}]')
  })

  it('[protocol-12] [protocol-22] a tab is replaced across a sleep', async () => {
    const object = echoObject('sleep-replace')
    const older = await connectRaw('sleep-replace', { clientId: 'tab' })
    await evictDurableObject(object)
    await connectRaw('sleep-replace', { clientId: 'tab' })
    expect(await older.closing()).toEqual({ code: 4001, reason: 'replaced' })
    expect((await object.report()).disconnects).toEqual([older.sid])
  })

  it('[protocol-16] [protocol-22] a client that leaves during the sleep is forgotten', async () => {
    const object = echoObject('sleep-leave')
    const client = await connectRaw('sleep-leave')
    await evictDurableObject(object)
    client.close()
    await client.closing()
    expect(await object.report()).toMatchObject({ peers: [], disconnects: [client.sid] })
  })

  it('[protocol-20] a heartbeat is answered without waking the object', async () => {
    const object = echoObject('sleep-heartbeat')
    const client = await connectRaw('sleep-heartbeat', {}, '&hb=1')
    await evictDurableObject(object)
    for (let beat = 0; beat < 5; beat++) {
      client.send('42["hb"]')
      expect(await client.next()).toBe('42["hb",1]')
      // Only a running object can be evicted. The refusal shows that the heartbeat has not started the object.
      await expect(evictDurableObject(object)).rejects.toThrow('not currently running')
    }
    await expectServed(client)
    await evictDurableObject(object)
    expect((await object.report()).constructions).toBe(3)
  })

  it('[protocol-20] the object answers a heartbeat like the platform, should one reach it', async () => {
    const client = await connectRaw('heartbeat-direct', {}, '&hb=1')
    await runInDurableObject(echoObject('heartbeat-direct'), (instance, state) => {
      for (const ws of state.getWebSockets()) void instance.engine.message(ws, '42["hb"]')
    })
    expect(await client.next()).toBe('42["hb",1]')
  })
})

describe('deadlines', () => {
  it('[protocol-10] the alarm is set when a socket is opened, and closes it when it never connects', async () => {
    const object = echoObject('silent')
    await object.configure({ connectTimeout: 5 })
    const silent = await openRaw('silent')
    expect(await silent.closing()).toEqual({ code: 4003, reason: 'connect-timeout' })
    expect(await object.report()).toMatchObject({ alarm: null, disconnects: [] })
  })

  it('[protocol-10] the next request closes an overdue client if the alarm is late', async () => {
    const silent = await openRaw('late-alarm')
    await runInDurableObject(echoObject('late-alarm'), (_, state) => {
      for (const ws of state.getWebSockets())
        ws.serializeAttachment({ ...ws.deserializeAttachment(), idleSince: Date.now() - 10_000 })
    })
    await evictDurableObject(echoObject('late-alarm'))
    await runInDurableObject(echoObject('late-alarm'), async ({ engine }) => {
      await engine.handle(new Request('http://localhost/?EIO=4&transport=polling'))
    })
    expect(await silent.closing()).toEqual({ code: 4003, reason: 'connect-timeout' })
  })

  it('[protocol-8] [protocol-10] a refused socket is closed too', async () => {
    const client = await openRaw('refused-silent')
    client.send('40{"refuse":true}')
    await client.next()
    await runAt('refused-silent', 10_000)
    expect(await client.closing()).toEqual({ code: 4003, reason: 'connect-timeout' })
  })

  it('[protocol-10] a socket that connected in time is left alone', async () => {
    const client = await connectRaw('in-time', {}, '&hb=1')
    expect(await runDurableObjectAlarm(echoObject('in-time'))).toBe(true)
    await runAt('in-time', 86_400_000)
    await expectServed(client)
    expect((await echoObject('in-time').report()).alarm).toBeNull()
  })

  it('[protocol-21] a client without heartbeats is pinged, and stays as long as it answers', async () => {
    const client = await connectRaw('pinged')
    for (const round of [1, 2, 3]) {
      await runAt('pinged', round * 300_000)
      expect(await client.next()).toBe('2')
      client.send('3')
      await expectServed(client)
    }
  })

  it('[protocol-21] a client that waited for half its time is pinged when the object is awake anyway', async () => {
    const waits = await connectRaw('piggyback')
    const recent = await connectRaw('piggyback')
    const beating = await connectRaw('piggyback', {}, '&hb=1')
    await runInDurableObject(echoObject('piggyback'), ({ engine }) => {
      for (const peer of engine.peers()) {
        if (peer.sid !== recent.sid) peer.line.update({ lastPingAt: Date.now() - 150_000 })
      }
    })
    await expectServed(recent)
    expect(await waits.next()).toBe('2')
    await expectServed(waits)
    await expectServed(beating)
  })

  it('[protocol-21] a ping without answer closes, also when the object slept in between', async () => {
    const object = echoObject('unanswered')
    const dead = await connectRaw('unanswered')
    const alive = await connectRaw('unanswered', {}, '&hb=1')
    await runAt('unanswered', 300_000)
    expect(await dead.next()).toBe('2')
    const pinged = (await object.report()).peers.find(({ sid }) => sid === dead.sid)?.lastPingAt ?? 0
    await evictDurableObject(object)
    await runWhen('unanswered', pinged + 59_999)
    await expectServed(dead)
    await runWhen('unanswered', pinged + 60_000)
    expect(await dead.closing()).toEqual({ code: 4002, reason: 'ping-timeout' })
    expect((await object.report()).disconnects).toEqual([dead.sid])
    await expectServed(alive)
  })

  it('[protocol-21] a ping that is a little late leaves no more time for its answer', async () => {
    const dead = await connectRaw('late-ping')
    await runAt('late-ping', 310_000)
    expect(await dead.next()).toBe('2')
    await runAt('late-ping', 361_000)
    expect(await dead.closing()).toEqual({ code: 4002, reason: 'ping-timeout' })
  })

  it('[protocol-21] the next deadline is the earliest of all sockets, and none without such sockets', async () => {
    await connectRaw('earliest', {}, '&hb=1')
    expect(await nextDeadlineIn('earliest')).toBeNull()
    const stock = await connectRaw('earliest')
    expect(await nextDeadlineIn('earliest')).toBeGreaterThan(290_000)
    const waiting = await openRaw('earliest')
    expect(await nextDeadlineIn('earliest')).toBeLessThanOrEqual(10_000)
    await leave(waiting, '1')
    await leave(stock, '41')
    expect(await nextDeadlineIn('earliest')).toBeNull()
  })

  it('[protocol-24] a socket that cannot be pinged does not keep the others from theirs', async () => {
    const clients = [await connectRaw('ping-broken'), await connectRaw('ping-broken')]
    await runInDurableObject(echoObject('ping-broken'), (instance, state) => {
      for (const ws of state.getWebSockets()) {
        if (ws.deserializeAttachment().seats[0]?.sid !== clients[0]?.sid) continue
        ws.send = ws.serializeAttachment = () => {
          throw new TypeError('broken')
        }
      }
      instance.engine.runDeadlines(Date.now() + 300_000)
    })
    expect(await clients[1]?.next()).toBe('2')
  })
})

/** Runs the engine's deadlines as the alarm does, `ms` milliseconds from now. */
function runAt(name: string, ms: number): Promise<void> {
  return runWhen(name, Date.now() + ms)
}

function runWhen(name: string, at: number): Promise<void> {
  return runInDurableObject(echoObject(name), (instance) => instance.engine.runDeadlines(at))
}

function nextDeadlineIn(name: string): Promise<number | null> {
  return runInDurableObject(echoObject(name), ({ engine }) => {
    const next = engine.nextDeadline(Date.now())
    return next === null ? null : next - Date.now()
  })
}

async function leave(client: RawClient, frame: string): Promise<void> {
  client.send(frame)
  await client.closing()
}
