import { describe, expect, it } from 'vitest'
import { beginSession, newCid } from '../support/player.ts'
import { connectClient } from '../support/socket-client.ts'
import { servePlayers } from '../support/serve.ts'

const served = servePlayers({ WALKON_REHEARSAL_PACE_MS: '3' })
const { join } = served

describe('a session', () => {
  const post = (body: string) => served.server.fetch('api/sessions', { method: 'POST', body })

  it('[M1] begins with a scenario and a colleague, and with the first of each if none is named', async () => {
    const response = await post('{}')
    expect(response.status).toBe(201)
    expect(await response.json()).toEqual({
      session: expect.stringMatching(/^[0-9a-f]{64}$/),
      scenario: 'launch-decision',
      npc: 'maya',
    })
  })

  it.each([
    ['not JSON', 400, 'malformed'],
    ['[]', 400, 'malformed'],
    ['{"npc":7}', 400, 'malformed'],
    ['{"npc":"../maya"}', 400, 'malformed'],
    ['{"scenario":"another"}', 404, 'unknown-scenario'],
    ['{"npc":"nobody"}', 404, 'unknown-npc'],
    ['{"npc":"__proto__"}', 400, 'malformed'],
    ['{"npc":"constructor"}', 404, 'unknown-npc'],
    [`{"npc":"${'x'.repeat(5000)}"}`, 413, 'too-long'],
  ])('[M1] %.30s is refused with %d %s', async (body, status, code) => {
    const response = await post(body)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ error: { next: 'give-up', code, message: expect.any(String) } })
  })

  it('[M1] an address with nothing behind it says so', async () => {
    const response = await served.server.fetch('api/nothing')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'not-found' } })
  })

  it.each([
    ['made up', '0'.repeat(64)],
    ['no id at all', 'maya'],
    ['empty', ''],
  ])('[M2] one that does not exist (%s) is refused for good', async (_, session) => {
    const client = connectClient(new URL('socket.io/', served.server.url), { query: { session }, auth: { v: 1 } })
    const error = (await client.next('connect_error')) as Error & { data: unknown }
    expect(error.data).toMatchObject({ ok: false, next: 'start-over', code: 'unknown-session' })
    expect(client.socket.active).toBe(false)
    client.stop()
  })

  it.each([
    [{ v: 99 }, 'wrong-version'],
    [{}, 'malformed'],
    [{ v: '1' }, 'malformed'],
    [{ v: 1, cursor: { epoch: '', seq: -1 } }, 'malformed'],
    [{ v: 1, clientId: 'a b' }, 'malformed'],
  ])('[M3] a CONNECT with %j is refused as %s', async (auth, code) => {
    const session = await beginSession(served.server)
    const client = connectClient(new URL('socket.io/', served.server.url), { query: { session }, auth })
    const error = (await client.next('connect_error')) as Error & { data: unknown }
    expect(error.data).toMatchObject({ ok: false, code })
    client.stop()
  })

  it('[M4] tells the scene and who is there, and nothing that is to be found out', async () => {
    const { hello } = await join(await beginSession(served.server))
    expect(hello).toMatchObject({
      v: 1,
      mode: 'snapshot',
      head: 0,
      level: 'neutral',
      events: [],
      running: null,
      conversation: {
        npc: { id: 'maya', name: 'Maya Patel' },
        speaker: { kind: 'rehearsal' },
      },
    })
    for (const secret of ['23.4', '2.0%', '8.1', 'keyReveal', 'knowledge', 'mood', 'too thin to sign'])
      expect(JSON.stringify(hello)).not.toContain(secret)
  })
})

describe('saying something', () => {
  it('[M11] [M12] the same message is taken once, on any socket, and acknowledged the same', async () => {
    const session = await beginSession(served.server)
    const [one, two] = [await join(session), await join(session)]
    const say = { cid: newCid(), text: "Hi, what's going on?" }
    const both = await Promise.all([one.emit('say', say), two.emit('say', say)])
    expect(both[0]).toEqual({ ok: true, turn: 1, seq: 1 })
    expect(both[1]).toEqual(both[0])
    await Promise.all([one.turn(1), two.turn(1)])
    expect(await two.emit('say', say)).toEqual(both[0])
    expect(one.events.filter(({ type }) => type === 'turn-start')).toHaveLength(1)
    expect(one.events).toEqual(two.events)
  })

  it.each([
    ['say', { text: '' }, 'empty'],
    ['say', { text: ' \n\t ' }, 'empty'],
    ['say', { text: 'x'.repeat(2001) }, 'too-long'],
    ['say', { text: 7 }, 'malformed'],
    ['say', 'hello', 'malformed'],
    ['say', null, 'malformed'],
    ['say', { cid: '', text: 'hi' }, 'malformed'],
    ['say', { cid: 'a b', text: 'hi' }, 'malformed'],
    ['choose', { pivot: 'PIVOT_1', choice: 'a' }, 'unknown-choice'],
    ['choose', { pivot: '__proto__', choice: 'a' }, 'unknown-choice'],
    ['choose', {}, 'malformed'],
    ['retry', { turn: 1 }, 'nothing-to-retry'],
    ['retry', { turn: -1 }, 'malformed'],
    ['sync', { cursor: 'x' }, 'malformed'],
    ['shout', { text: 'hi' }, 'unknown-event'],
  ])('[M12] %s %.40j is refused as %s, and the conversation goes on', async (name, body, code) => {
    const player = await join(await beginSession(served.server))
    const sent = typeof body === 'object' && body !== null && !('cid' in body) ? { cid: newCid(), ...body } : body
    expect(await player.emit(name, sent)).toMatchObject({ ok: false, code })
    expect((await player.say("Hi, what's going on?")).outcome).toBe('complete')
    expect(player.events[0]).toMatchObject({ seq: 1, type: 'turn-start' })
  })

  it('[M12] a message of 100 kB closes the socket, and the conversation goes on', async () => {
    const player = await join(await beginSession(served.server))
    player.client.emit('say', { cid: newCid(), text: 'x'.repeat(100_000) })
    expect(await player.client.next('disconnect')).toBe('transport close')
    await player.client.next('hello')
    expect((await player.say("Hi, what's going on?")).outcome).toBe('complete')
  })

  it('[M7] [M8] what is streamed is what was said, and the report is never in it', async () => {
    const player = await join(await beginSession(served.server))
    const turn = await player.say("Hi, what's going on?")
    expect(player.streamed(1)).toBe(turn.text)
    expect(player.deltas.length).toBeGreaterThan(1)
    expect(JSON.stringify([player.deltas, player.events])).not.toMatch(/END---|node_satisfied|internal_thought/)
  })

  it('[M13] while a pivot is open, the number of a card picks it', async () => {
    const player = await join(await beginSession(served.server))
    for (const line of [
      "Hi, what's going on?",
      'So what did run 47 show?',
      'Where does it come from, then?',
      'So the average hides the medical part. That worries me.',
    ])
      if (!player.commands().includes('AI_PivotMoment:PIVOT_1')) await player.say(line)
    for (let i = 0; i < 3 && !player.commands().includes('AI_PivotMoment:PIVOT_1'); i++)
      await player.say('Go on, I am listening to you.')
    await player.until(() => player.commands().find((id) => id === 'AI_PivotMoment:PIVOT_1'))
    const turns = player.events.filter(({ type }) => type === 'turn').length
    expect(await player.emit('say', { cid: newCid(), text: '1' })).toMatchObject({ ok: true })
    const end = await player.until(() => player.events.find((event) => event.type === 'pivot-end'))
    expect(end).toMatchObject({
      pivot: 'PIVOT_1',
      level: 'cooperative',
      choice: { id: 'a', reaction: expect.any(String) },
    })
    expect(player.events.filter(({ type }) => type === 'turn')).toHaveLength(turns)
  })
})

describe('coming back', () => {
  it('[M4] a cursor gets exactly what came after it; one of another log or beyond its end gets everything', async () => {
    const session = await beginSession(served.server)
    const first = await join(session)
    await first.say("Hi, what's going on?")
    const { epoch } = first.hello
    const at = async (cursor: object) => {
      const { hello } = await join(session, { cursor })
      return [hello.mode, hello.events.map(({ seq }) => seq)]
    }
    expect(await at({ epoch, seq: 0 })).toEqual(['resume', [1, 2]])
    expect(await at({ epoch, seq: 1 })).toEqual(['resume', [2]])
    expect(await at({ epoch, seq: 2 })).toEqual(['resume', []])
    expect(await at({ epoch, seq: 3 })).toEqual(['snapshot', [1, 2]])
    expect(await at({ epoch: 'another', seq: 1 })).toEqual(['snapshot', [1, 2]])
  })

  it('[M16] sync is answered with a hello', async () => {
    const player = await join(await beginSession(served.server))
    await player.say("Hi, what's going on?")
    player.client.emit('sync', { cursor: { epoch: player.hello.epoch, seq: 1 } })
    const hello = await player.client.next('hello')
    expect(hello).toMatchObject({ mode: 'resume', head: 2, events: [{ seq: 2, type: 'turn' }] })
  })
})

describe('an object that sleeps', () => {
  it('[M18] [P20] a heartbeat is answered in its sleep, and nothing of it is lost', async () => {
    const session = await beginSession(served.server)
    const player = await join(session)
    await player.say("Hi, what's going on?")
    await served.server.evict({ className: 'ConversationObject', id: session })
    player.client.emit('hb')
    expect(await player.client.next('hb')).toBe(1)
    // Only a running object can be put to sleep: the heartbeat has not woken this one.
    await expect(served.server.evict({ className: 'ConversationObject', id: session })).rejects.toThrow(
      /not currently running/,
    )
    expect((await player.say('So what did run 47 show?')).turn).toBe(2)
  })

  it('[M18] has no alarm left when nothing is going on', async () => {
    const session = await beginSession(served.server)
    const player = await join(session)
    await player.say("Hi, what's going on?")
    const [row] = await served.server.sql(
      { className: 'ConversationObject', id: session },
      "SELECT count(*) AS running FROM turns WHERE status = 'running'",
    )
    expect(row).toEqual({ running: 0 })
  })
})

describe('what is kept to itself', () => {
  it('[M17] no word of a learner or a colleague is ever logged', () => {
    const logged = served.server.logs().join('\n')
    for (const words of ['going on', 'eval turn up', 'make the call on Thursday']) expect(logged).not.toContain(words)
  })
})
