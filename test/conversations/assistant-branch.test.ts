import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AssistantRecord } from '../../worker/session/assistant/assistant-record.ts'
import type { LogEvent } from '../../worker/wire/messages.ts'
import { type Given, keepCredentials } from '../support/credentials.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { SharedServer } from '../support/shared.ts'

const HASH = '00000000000000aa'
const PAGE = { editor: { filename: 'a.md', content: 'The bridge has seven arches.' }, tools: ['web_search'] }

let server: SharedServer
const players: Player[] = []
beforeAll(async () => {
  server = await SharedServer.open('plain')
})
afterAll(() => players.forEach((player) => player.leave()))

async function join(session: string): Promise<Player> {
  const player = await Player.join(server, session)
  players.push(player)
  return player
}

async function begin(scenario = 'page-assistant', npc?: string) {
  const body = JSON.stringify({ scenario, npc })
  const begun = (await (await server.fetch('api/sessions', { method: 'POST', body })).json()) as Begun
  return { session: keepCredentials(begun), key: begun.key }
}

type Begun = Given & { readonly session: string; readonly key: string }
type Of<T extends LogEvent['type']> = Extract<LogEvent, { type: T }>

async function say(player: Player, text: string): Promise<number> {
  const taken = await player.emit('say', { cid: newCid(), text, context: HASH })
  if (!taken.ok) throw new Error(taken.code)
  return taken.turn
}
const ask = async (player: Player, text: string) => player.turn(await say(player, text))

const branch = (session: string, body: object) =>
  server.fetch(`api/sessions/${session}/branch`, { method: 'POST', body: JSON.stringify(body) })

async function record(session: string): Promise<AssistantRecord> {
  const rows = await server.sql({ className: 'ConversationObject', id: session }, 'SELECT body FROM assistant')
  return JSON.parse((rows as [{ body: string }])[0].body) as AssistantRecord
}

/** The log without the times, in which the person's later acts are left out. */
const talk = (events: readonly LogEvent[]) =>
  events.flatMap((event) => (event.type === 'turn-start' || event.type === 'turn' ? [[event.turn, event.text]] : []))

describe('a conversation with an assistant that begins again from a turn', () => {
  it('[again-10] has the messages, the topic, the lock and the walks of that turn, and no grant; the other stays as it is', async () => {
    const { session, key } = await begin()
    const player = await join(session)
    await player.emit('page', { hash: HASH, page: PAGE })
    await player.emit('lock', { agent: 'research' })
    const first = await say(player, 'Why do moths gather?')
    const asked = await player.until(() =>
      player.events.find((event): event is Of<'permission'> => event.type === 'permission'),
    )
    await player.emit('permit', { id: asked.id, answer: 'here' })
    const call = await player.until(() =>
      player.events.find((event): event is Of<'tool-call'> => event.type === 'tool-call'),
    )
    await player.emit('tool', { call: call.call, claim: true })
    await player.emit('tool', { call: call.call, ok: true, text: 'Moths gather at lamps.' })
    await player.turn(first)
    await ask(player, '@chat How many arches has the bridge?')
    const then = await record(session)
    await player.emit('lock', { agent: 'edit' })
    await ask(player, '@chat Which file is this?')
    await ask(player, 'Look.')
    const before = await record(session)

    const given = (await (await branch(session, { key, turn: 2, cid: 'a' })).json()) as Begun
    const again = keepCredentials(given)
    expect(again).not.toBe(session)
    const other = await join(again)
    expect(talk(other.events)).toEqual(talk(player.events).filter(([turn]) => Number(turn) <= 2))
    expect(other.hello.conversation.assistant).toMatchObject({ locked: 'research', grants: [] })
    expect(other.events.at(-1)).toMatchObject({ type: 'permission-revoked', operations: ['web_search'] })
    const copied = await record(again)
    expect([copied.walks, copied.exchanges, copied.state.conversation_topic]).toEqual([
      then.walks,
      then.exchanges,
      then.state.conversation_topic,
    ])
    expect(copied.state).toMatchObject({
      session_id: again,
      shared_memory: { permissions: { grants: [], pending: [] } },
    })
    expect(copied.state.conversation_intelligence).toEqual(then.state.conversation_intelligence)

    // It goes on with the page that the last turn had, and asks again for what was allowed.
    const third = await say(other, 'Where do trams run?')
    expect(third).toBe(3)
    await other.until(() => other.events.find((event) => event.type === 'permission' && event.turn === 3))
    expect(await record(session)).toEqual(before)
    expect(player.events.filter(({ type }) => type === 'permission-revoked')).toEqual([])
    // The same request again leads to the same conversation, and goes on there.
    const same = (await (await branch(session, { key, turn: 2, cid: 'a' })).json()) as Begun
    expect(same.session).toBe(again)
    const twice = (await (await branch(session, { key, turn: 2, cid: 'b' })).json()) as Begun
    expect(twice.session).not.toBe(again)
    // A copy can be copied too.
    expect((await branch(again, { key: given.key, turn: 1, cid: 'c' })).status).toBe(201)
  })

  it('[again-10] is refused to who has no key, from a turn that is not there, and of a scenario that is no assistant', async () => {
    const { session, key } = await begin()
    const player = await join(session)
    await player.emit('page', { hash: HASH, page: PAGE })
    await ask(player, 'How many arches?')
    const other = await begin()
    for (const [body, status] of [
      [{ key, turn: 2, cid: 'a' }, 404],
      [{ key: other.key, turn: 1, cid: 'a' }, 401],
      [{ key: 'x', turn: 1, cid: 'a' }, 401],
      [{ key, turn: 0, cid: 'a' }, 400],
      [{ key, turn: 1 }, 400],
      [{ key, turn: 1, cid: 'a b' }, 400],
    ] as const)
      expect([body, (await branch(session, body)).status]).toEqual([body, status])
    const maya = await begin('launch-decision', 'maya')
    const talking = await join(maya.session)
    await talking.say('Hello.')
    expect((await branch(maya.session, { key: maya.key, turn: 1, cid: 'a' })).status).toBe(404)
  })

  it('[again-10] may begin from each of the latest twenty turns', async () => {
    const session = await openSession(server, { scenario: 'page-assistant' })
    const player = await join(session)
    await player.emit('page', { hash: HASH, page: PAGE })
    // A conversation takes twenty turns in a minute.
    for (let turn = 1; turn <= 4; turn += 1) await ask(player, `@chat How many arches has bridge ${turn}?`)
    const kept = () =>
      server.sql({ className: 'ConversationObject', id: session }, 'SELECT seq FROM events WHERE walk IS NOT NULL')
    expect(await kept()).toHaveLength(4)
    // As if there had been more.
    await server.sql(
      { className: 'ConversationObject', id: session },
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
       INSERT INTO events (seq, at, body, walk) SELECT 1000 + i, 0, '{"type":"unknown","turn":0}', '{}' FROM n`,
    )
    await ask(player, '@chat And this one?')
    expect(await kept()).toHaveLength(20)
  })
})
