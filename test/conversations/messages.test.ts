import { describe, expect, it } from 'vitest'
import { hashOf } from '../../worker/wire/text-hash.ts'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import { admission, credentialsOf, keepCredentials, passage, renewCredentials } from '../support/credentials.ts'
import { beginSession, newCid, type Player } from '../support/player.ts'
import { signSession } from '../support/sign-session.ts'
import { connectClient } from '../support/socket-client.ts'
import { servePlayers } from '../support/serve.ts'
import { oneIn } from '../support/runs.ts'

const served = servePlayers('plain')
const { join } = served

/** Matches the text of a JSON Web Signature, the format of the server's credentials. */
const JWS = /^[\w-]+\.[\w-]+\.[\w-]{43}$/

describe('a session', () => {
  const post = (body: string) => served.server.fetch('api/sessions', { method: 'POST', body })

  it('[message-1] begins with a scenario and a colleague, and with the first of each if none is named', async () => {
    const response = await post('{}')
    expect(response.status).toBe(201)
    expect(await response.json()).toEqual({
      session: expect.stringMatching(/^[0-9a-f]{64}$/),
      scenario: 'launch-decision',
      npc: 'maya',
      run: { id: expect.stringMatching(/^ctx_[\w-]{22}$/), key: expect.stringMatching(JWS) },
      key: expect.stringMatching(JWS),
      token: expect.stringMatching(JWS),
      ticket: expect.stringMatching(JWS),
      lastsMs: 900_000,
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
  ])('[message-1] request %.30s is refused with %d %s', async (body, status, code) => {
    const response = await post(body)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ error: { next: 'give-up', code, message: expect.any(String) } })
  })

  it('[message-1] an unknown address is answered with not-found', async () => {
    const response = await served.server.fetch('api/nothing')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'not-found' } })
  })

  const refusalOf = async (session: string, auth: object) => {
    const address = new URL('socket.io/', served.server.url)
    const client = connectClient(address, { query: passage(session), auth: { ...admission(session), ...auth } })
    const error = (await client.next('connect_error')) as Error & { data: unknown }
    expect(client.socket.active).toBe(false)
    client.stop()
    return error.data
  }

  it.each([
    ['made up', '0'.repeat(64)],
    ['no id at all', 'maya'],
    ['empty', ''],
  ])('[message-2] a client with an id (%s) but no ticket is refused for good', async (_, session) => {
    expect(await refusalOf(session, { v: WIRE_VERSION })).toMatchObject({ next: 'sign-in', code: 'not-admitted' })
  })

  it('[message-2] a session that was never begun, or is deleted, is refused for good even with valid credentials', async () => {
    // The platform accepts only session ids that it signed itself. This id is signed, but the row of its conversation
    // is deleted.
    const begun = await beginSession(served.server)
    const session = keepCredentials({ session: begun, ...(await signSession(begun)) })
    await served.server.sql({ className: 'ConversationObject', id: session }, 'DELETE FROM session')
    await served.server.evict({ className: 'ConversationObject', id: session })
    expect(await refusalOf(session, { v: WIRE_VERSION })).toMatchObject({ next: 'start-over', code: 'unknown-session' })
  })

  it.each([
    [{ v: 99 }, 'wrong-version'],
    [{}, 'malformed'],
    [{ v: '1' }, 'malformed'],
    [{ v: 1 }, 'wrong-version'],
    [{ v: WIRE_VERSION, cursor: { epoch: '', seq: -1 } }, 'malformed'],
    [{ v: WIRE_VERSION, clientId: 'a b' }, 'malformed'],
    [{ v: WIRE_VERSION, token: null }, 'not-admitted'],
    [{ v: WIRE_VERSION, token: 'x'.repeat(9_000) }, 'not-admitted'],
  ])('[message-3] a CONNECT with %j is refused as %s', async (auth, code) => {
    expect(await refusalOf(await beginSession(served.server), auth)).toMatchObject({ ok: false, code })
  })

  it('[message-30] is reopened with its key, and kept open with the new credentials', async () => {
    const session = await beginSession(served.server)
    const first = credentialsOf(session)
    const given = await renewCredentials(served.server.url, session)
    expect(given).toEqual({ key: first.key, token: expect.any(String), ticket: expect.any(String), lastsMs: 900_000 })
    const player = await join(session)
    expect(await player.emit('renew', {})).toEqual({
      ok: true,
      token: expect.stringMatching(JWS),
      ticket: expect.stringMatching(JWS),
      lastsMs: 900_000,
    })
    keepCredentials({ ...first, session, key: first.token })
    await expect(renewCredentials(served.server.url, session)).rejects.toThrow('401')
  })

  it('[message-4] sends the scene and its people, and none of the facts to find out', async () => {
    const { hello } = await join(await beginSession(served.server))
    expect(hello).toMatchObject({
      v: WIRE_VERSION,
      mode: 'snapshot',
      head: 1,
      level: 'neutral',
      events: [{ seq: 1, type: 'opening', turn: 0, text: expect.stringMatching(/^Hi\. So you're who/) }],
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

/**
 * Returns whether the first fork is open. The server sends a command after the turn's end and before the answer to a
 * later request.
 */
async function isAsked(player: Player): Promise<boolean> {
  await player.emit('nothing', {})
  return player.commands().includes('AI_PivotMoment:PIVOT_1')
}

describe('sending a message', () => {
  it('[message-11] [message-12] stores the same message once, on any socket, with the same acknowledgement', async () => {
    const session = await beginSession(served.server)
    const [one, two] = [await join(session), await join(session)]
    const say = { cid: newCid(), text: "Hi, what's going on?" }
    const both = await Promise.all([one.emit('say', say), two.emit('say', say)])
    expect(both[0]).toEqual({ ok: true, turn: 1, seq: 2 })
    expect(both[1]).toEqual(both[0])
    await Promise.all([one.turn(1), two.turn(1)])
    expect(await two.emit('say', say)).toEqual(both[0])
    expect(one.events.filter(({ type }) => type === 'turn-start')).toHaveLength(1)
    expect(one.events).toEqual(two.events)
  })

  const refused: readonly (readonly [string, unknown, string])[] = [
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
  ]
  it.each(oneIn(2, refused))(
    '[message-12] %s %.40j is refused as %s, and the conversation goes on',
    async (name, body, code) => {
      const player = await join(await beginSession(served.server))
      const sent = typeof body === 'object' && body !== null && !('cid' in body) ? { cid: newCid(), ...body } : body
      expect(await player.emit(name, sent)).toMatchObject({ ok: false, code })
      expect((await player.say("Hi, what's going on?")).outcome).toBe('complete')
      expect(player.events.find(({ type }) => type === 'turn-start')).toMatchObject({ seq: 2 })
    },
  )

  it('[message-12] a message of 100 kB closes the socket, and the conversation goes on', async () => {
    const player = await join(await beginSession(served.server))
    player.client.emit('say', { cid: newCid(), text: 'x'.repeat(100_000) })
    expect(await player.client.next('disconnect')).toBe('transport close')
    await player.client.next('hello')
    expect((await player.say("Hi, what's going on?")).outcome).toBe('complete')
  })

  it('[message-7] [message-8] streams exactly the reply’s text, never the report', async () => {
    const player = await join(await beginSession(served.server))
    const turn = await player.say("Hi, what's going on?")
    expect(player.streamed(1)).toBe(turn.text)
    expect(player.deltas.length).toBeGreaterThan(1)
    expect(JSON.stringify([player.deltas, player.events])).not.toMatch(/END---|node_satisfied|internal_thought/)
  })

  it('[message-40] sends short pieces and an end without text to a client that asked for them, and to no other', async () => {
    const session = await beginSession(served.server)
    const short = await join(session, { short: true })
    const heard: [string, unknown][] = []
    short.client.socket.onAny((name: string, body: unknown) => heard.push([name, body]))
    const plain = await join(session)
    const turn = await plain.say("Hi, what's going on?")
    await expect.poll(() => heard.some(([name]) => name === 'turn')).toBe(true)
    const { text, ...rest } = turn
    expect(plain.streamed(1)).toBe(text)
    const pieces = heard.filter(([name]) => name === 'd').map(([, body]) => body as [number, number, number, string])
    expect(pieces.map((piece) => piece[3]).join('')).toBe(text)
    expect(pieces.every(([number, attempt]) => number === 1 && attempt === 1)).toBe(true)
    expect(heard.find(([name]) => name === 'turn')?.[1]).toEqual({ ...rest, length: text.length, hash: hashOf(text) })
    expect(heard.filter(([name]) => name === 'delta')).toEqual([])
    const back = await join(session, { short: true })
    expect(back.hello.events).toContainEqual(turn)
  })

  it('[message-13] picks a card by its number while a pivot is open', async () => {
    const player = await join(await beginSession(served.server))
    for (const line of [
      "Hi, what's going on?",
      'So what did run 47 show?',
      'Where does it come from, then?',
      'So the average hides the medical part. That worries me.',
    ])
      if (!(await isAsked(player))) await player.say(line)
    for (let i = 0; i < 3 && !(await isAsked(player)); i++) await player.say('Go on, I am listening to you.')
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

describe('reconnecting', () => {
  it('[message-4] gives a cursor exactly the later events, and an invalid cursor the whole log', async () => {
    const session = await beginSession(served.server)
    const first = await join(session)
    await first.say("Hi, what's going on?")
    const { epoch } = first.hello
    const at = async (cursor: object) => {
      const { hello } = await join(session, { cursor })
      return [hello.mode, hello.events.map(({ seq }) => seq)]
    }
    expect(await at({ epoch, seq: 1 })).toEqual(['resume', [2, 3]])
    expect(await at({ epoch, seq: 2 })).toEqual(['resume', [3]])
    expect(await at({ epoch, seq: 3 })).toEqual(['resume', []])
    expect(await at({ epoch, seq: 4 })).toEqual(['snapshot', [1, 2, 3]])
    expect(await at({ epoch: 'another', seq: 1 })).toEqual(['snapshot', [1, 2, 3]])
  })

  it('[message-16] answers sync with a hello', async () => {
    const player = await join(await beginSession(served.server))
    await player.say("Hi, what's going on?")
    player.client.emit('sync', { cursor: { epoch: player.hello.epoch, seq: 2 } })
    const hello = await player.client.next('hello')
    expect(hello).toMatchObject({ mode: 'resume', head: 3, events: [{ seq: 3, type: 'turn' }] })
  })
})

describe('an object that sleeps', () => {
  it('[message-18] [protocol-20] answers heartbeats without waking, and loses nothing', async () => {
    const session = await beginSession(served.server)
    const player = await join(session)
    await player.say("Hi, what's going on?")
    // Waits until the alarm has delivered the turn to the chain, because that alarm would wake the object later.
    const object = { className: 'ConversationObject', id: session }
    const waiting = () => served.server.sql(object, 'SELECT number FROM chain_events')
    await expect.poll(waiting).toEqual([])
    await served.server.evict(object)
    player.client.emit('hb')
    expect(await player.client.next('hb')).toBe(1)
    // Only a running object can be evicted. The refusal shows that the heartbeat has not woken the object.
    await expect(served.server.evict(object)).rejects.toThrow(/not currently running/)
    expect((await player.say('So what did run 47 show?')).turn).toBe(2)
  })

  it('[message-18] has no alarm when nothing is due', async () => {
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

describe('the log', () => {
  it('[message-17] never contains the text of a learner or a colleague', async () => {
    const logged = (await served.server.logs()).join('\n')
    for (const words of ['going on', 'eval turn up', 'make the call on Thursday']) expect(logged).not.toContain(words)
  })
})
