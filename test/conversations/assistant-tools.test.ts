import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AssistantRecord } from '../../worker/session/assistant/assistant-record.ts'
import type { LogEvent, PageView } from '../../worker/wire/messages.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { SharedServer } from '../support/shared.ts'

type Of<T extends LogEvent['type']> = Extract<LogEvent, { type: T }>

const PAGE: PageView = { text: 'A page.', tools: ['web_search'] }
const HASH = '00000000000000aa'

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

interface Begun {
  readonly session: string
  readonly player: Player
  readonly turn: number
  readonly asked: Of<'permission'>
}

const first = <T extends LogEvent['type']>(player: Player, type: T, from = 0) =>
  player.until(() => player.events.find((event): event is Of<T> => event.type === type && event.seq > from))

/** Begins a conversation in which an agent asks whether it may search. */
async function asking(page = PAGE): Promise<Begun> {
  const session = await openSession(server, { scenario: 'page-assistant' })
  const player = await join(session)
  expect(await player.emit('page', { hash: HASH, page })).toMatchObject({ ok: true })
  const turn = await say(player, '@research Why do moths gather at lamps?')
  return { session, player, turn, asked: await first(player, 'permission') }
}

async function say(player: Player, text: string, context = HASH): Promise<number> {
  const taken = await player.emit('say', { cid: newCid(), text, context })
  if (!taken.ok) throw new Error(taken.code)
  return taken.turn
}

const permit = (player: Player, id: string, answer: string) => player.emit('permit', { id, answer })
const tool = (player: Player, body: object) => player.emit('tool', body)
const FOUND = 'Moths gather at lamps because they hold a light at a fixed angle.'
const count = (player: Player, type: LogEvent['type']) => player.events.filter((event) => event.type === type).length

async function record(session: string): Promise<AssistantRecord> {
  const rows = await server.sql({ className: 'ConversationObject', id: session }, 'SELECT body FROM assistant')
  return JSON.parse((rows as [{ body: string }])[0].body) as AssistantRecord
}

/** Sets when a session's turn stops waiting, as if time had passed, and wakes the object by its next alarm or message. */
async function hurry(session: string): Promise<void> {
  const object = { className: 'ConversationObject', id: session }
  await server.sql(
    object,
    `UPDATE assistant SET body = json_set(body, '$.turn.calls[0].until', 1, '$.state.shared_memory.permissions.pending[0].expiresAt', 1)`,
  )
}

describe('a tool that needs permission', () => {
  it('[assistant-17] [message-39] waits for a person, whatever happens to the object, and is done once: asked here, answered in another tab', async () => {
    const { session, player, turn, asked } = await asking()
    expect(asked).toMatchObject({ operation: 'web_search', agent: 'research', cost: 'about one cent', safety: 'low' })
    expect(count(player, 'tool-call')).toBe(0)
    // Meanwhile nothing else is taken, and the object may go.
    const busy = await player.emit('say', { cid: newCid(), text: 'Hello?' })
    expect(busy).toMatchObject({ ok: false, code: 'busy' })
    expect(busy).not.toHaveProperty('retryAfterMs')
    await server.evict({ className: 'ConversationObject', id: session })

    const other = await join(session)
    expect(other.hello.events.map(({ type }) => type)).toContain('permission')
    expect(await permit(other, asked.id, 'once')).toMatchObject({ ok: true })
    const call = await first(player, 'tool-call')
    expect(call).toMatchObject({ turn, tool: 'web_search', input: 'Why do moths gather at lamps?' })
    // A second answer, from either tab, is stale.
    for (const tab of [player, other])
      for (const answer of ['once', 'here', 'deny'])
        expect(await permit(tab, asked.id, answer)).toMatchObject({ ok: false, code: 'stale' })
    // Both tabs want to do it. One may.
    const claims = await Promise.all([player, other].map((tab) => tool(tab, { call: call.call, claim: true })))
    expect(claims.filter(({ ok }) => ok)).toHaveLength(1)
    await server.evict({ className: 'ConversationObject', id: session })
    expect(await tool(other, { call: call.call, ok: true, text: FOUND })).toMatchObject({ ok: true })
    expect(await tool(player, { call: call.call, ok: true, text: 'Twice.' })).toMatchObject({
      ok: false,
      code: 'stale',
    })
    expect(await player.turn(turn)).toMatchObject({
      agent: 'research',
      outcome: 'complete',
      text: expect.stringContaining('fixed angle'),
    })
    expect([
      count(player, 'permission'),
      count(player, 'tool-call'),
      count(player, 'tool-end'),
      count(player, 'turn'),
    ]).toEqual([1, 1, 1, 1])
    // Once was once.
    await say(player, '@research Where do trams run?')
    expect((await first(player, 'permission', asked.seq)).id).not.toBe(asked.id)
  })

  it('[assistant-17] allowed in this conversation is asked once, and not allowed is not done', async () => {
    const { player, turn, asked } = await asking()
    await permit(player, asked.id, 'here')
    const call = await first(player, 'tool-call')
    await tool(player, { call: call.call, claim: true })
    await tool(player, { call: call.call, ok: true, text: FOUND })
    await player.turn(turn)
    const next = await say(player, '@research Where do trams run?')
    const again = await first(player, 'tool-call', call.seq)
    expect(count(player, 'permission')).toBe(1)
    await tool(player, { call: again.call, claim: true })
    await tool(player, { call: again.call, ok: false, text: 'The search is down.' })
    expect((await player.turn(next)).text).toContain('The search is down.')

    const denied = await asking()
    await permit(denied.player, denied.asked.id, 'deny')
    expect((await denied.player.turn(denied.turn)).text).toContain('nothing to cite')
    expect(count(denied.player, 'tool-call')).toBe(0)
  })

  it('[assistant-27] allowed in this conversation is listed, and taken back from another tab: then it is asked about again', async () => {
    const { session, player, turn, asked } = await asking()
    await permit(player, asked.id, 'here')
    const call = await first(player, 'tool-call')
    const other = await join(session)
    expect(other.hello.conversation.assistant?.grants).toEqual([
      { operation: 'web_search', expiresAt: expect.any(Number) },
    ])
    // What runs already goes on.
    expect(await other.emit('revoke', { operation: 'web_search' })).toMatchObject({ ok: true })
    expect(await first(player, 'permission-revoked')).toMatchObject({ operations: ['web_search'] })
    await tool(player, { call: call.call, claim: true })
    await tool(player, { call: call.call, ok: true, text: FOUND })
    expect((await player.turn(turn)).text).toContain('fixed angle')
    expect((await join(session)).hello.conversation.assistant?.grants).toEqual([])

    const next = await say(player, '@research Where do trams run?')
    const again = await first(player, 'permission', asked.seq)
    expect(again).toMatchObject({ turn: next, operation: 'web_search' })
    expect(count(player, 'tool-call')).toBe(1)
    // Nothing is allowed now, so nothing is taken back; the question waits.
    expect(await player.emit('revoke', { operation: null })).toMatchObject({ ok: true })
    expect(await player.emit('revoke', {})).toMatchObject({ ok: false, code: 'malformed' })
    expect(await permit(player, again.id, 'deny')).toMatchObject({ ok: true })
    await player.turn(next)
    expect(count(player, 'permission-revoked')).toBe(1)
  })

  it('[assistant-4] stays with its call in later turns, for the agent that made it and for no other', async () => {
    const { session, player, turn, asked } = await asking()
    await permit(player, asked.id, 'once')
    const call = await first(player, 'tool-call')
    await tool(player, { call: call.call, claim: true })
    await tool(player, { call: call.call, ok: true, text: FOUND })
    await player.turn(turn)
    const told = async () => {
      const rows = await server.sql(
        { className: 'ConversationObject', id: session },
        'SELECT body FROM told ORDER BY turn DESC LIMIT 1',
      )
      const [{ body }] = rows as [{ body: string }]
      const steps = JSON.parse(body) as { step: string; told: { messages: { role: string; text: string }[] } }[]
      return { steps: steps.map(({ step }) => step), messages: steps.at(-1)?.told.messages ?? [] }
    }
    await player.turn(await say(player, '@research Why do moths gather at lamps?'))
    // The same question is covered by earlier work, so no tool is thought of.
    expect((await told()).steps).toEqual(['reply'])
    expect((await told()).messages.map(({ role }) => role)).toEqual(['user', 'call', 'result', 'assistant'])
    expect((await told()).messages[2]?.text).toBe(FOUND)
    await player.turn(await say(player, '@chat Why do moths gather at lamps?'))
    expect((await told()).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(JSON.stringify(await record(session))).toContain('"citations"')
    for (let n = 0; n < 7; n += 1) await player.turn(await say(player, `@chat Number ${n}?`))
    // The last 20 messages begin between the call and its result: neither half is told.
    await player.emit('page', { hash: '00000000000000bb', page: { text: 'A page.' } })
    await player.turn(await say(player, '@research Number?', '00000000000000bb'))
    const { messages } = await told()
    expect([messages.length, messages.filter(({ role }) => role !== 'user' && role !== 'assistant')]).toEqual([19, []])
  })

  it('[assistant-9] that finds nothing is no earlier work', async () => {
    const { session, player, turn, asked } = await asking()
    await permit(player, asked.id, 'deny')
    await player.turn(turn)
    await player.turn(await say(player, '@chat Why do moths gather at lamps?'))
    const { state } = await record(session)
    expect(state.conversation_intelligence.cached_results).toEqual({})
  })

  it('[assistant-18] that nobody answers, or the page does not, is given up, and the turn goes on', async () => {
    const unanswered = await asking()
    await hurry(unanswered.session)
    expect(await permit(unanswered.player, unanswered.asked.id, 'here')).toMatchObject({ ok: false, code: 'stale' })
    await server.evict({ className: 'ConversationObject', id: unanswered.session })
    await unanswered.player.emit('lock', { agent: null })
    expect((await unanswered.player.turn(unanswered.turn)).text).toContain('nothing to cite')
    expect(await first(unanswered.player, 'permission-end')).toMatchObject({ answer: 'expired' })

    const late = await asking()
    await permit(late.player, late.asked.id, 'once')
    const call = await first(late.player, 'tool-call')
    await tool(late.player, { call: call.call, claim: true })
    await hurry(late.session)
    expect(await tool(late.player, { call: call.call, ok: true, text: FOUND })).toMatchObject({
      ok: false,
      code: 'stale',
    })
    await server.evict({ className: 'ConversationObject', id: late.session })
    await late.player.emit('lock', { agent: null })
    expect(await first(late.player, 'tool-end')).toMatchObject({ outcome: 'late' })
    expect((await late.player.turn(late.turn)).text).not.toContain('fixed angle')
  })

  it('[assistant-18] is dropped if the person stops the turn', async () => {
    const { player, turn, asked } = await asking()
    expect(await player.emit('cancel', { turn })).toMatchObject({ ok: true })
    expect(await first(player, 'permission-end')).toMatchObject({ turn, id: asked.id, answer: 'stopped' })
    expect(await permit(player, asked.id, 'here')).toMatchObject({ ok: false, code: 'stale' })
    const next = await say(player, '@research Where do trams run?')
    expect(await first(player, 'permission', asked.seq)).toMatchObject({ turn: next })
    expect(await permit(player, asked.id, 'here')).toMatchObject({ ok: false, code: 'stale' })
    expect(count(player, 'tool-call')).toBe(0)
  })

  it('[assistant-18] is called off if the person stops the turn while the page runs it', async () => {
    const { player, turn, asked } = await asking()
    await permit(player, asked.id, 'once')
    const call = await first(player, 'tool-call')
    await tool(player, { call: call.call, claim: true })
    expect(await player.emit('cancel', { turn })).toMatchObject({ ok: true })
    expect(await first(player, 'tool-end')).toMatchObject({ turn, call: call.call, outcome: 'late' })
    expect(await tool(player, { call: call.call, ok: true, text: FOUND })).toMatchObject({ ok: false, code: 'stale' })
    expect(count(player, 'tool-end')).toBe(1)
  })

  it('[assistant-17] is not offered on a page that does not run it', async () => {
    const session = await openSession(server, { scenario: 'page-assistant' })
    const player = await join(session)
    await player.emit('page', { hash: HASH, page: { text: 'A page.' } })
    const turn = await say(player, '@research Why do moths gather?')
    expect((await player.turn(turn)).text).toContain('have found nothing')
    expect(count(player, 'permission')).toBe(0)
  })

  it('[assistant-19] cannot be reached by what is malformed, and a result that is too long is cut', async () => {
    const { player, turn, asked } = await asking()
    await permit(player, asked.id, 'once')
    const call = await first(player, 'tool-call')
    await tool(player, { call: call.call, claim: true })
    expect(await tool(player, { call: call.call, ok: true, text: 'x'.repeat(20_001) })).toMatchObject({
      code: 'malformed',
    })
    expect(
      await tool(player, { call: call.call, ok: true, text: `Moths gather. ${'x'.repeat(19_000)}` }),
    ).toMatchObject({ ok: true })
    expect((await player.turn(turn)).text.length).toBeLessThan(700)
    const bad: readonly unknown[] = [
      null,
      {},
      { id: 1 },
      { id: 'a', answer: 'yes' },
      { call: 'a' },
      { call: 'a', claim: false },
    ]
    for (const body of bad) {
      expect(await player.emit('permit', body)).toMatchObject({ ok: false, code: 'malformed' })
      expect(await player.emit('tool', body)).toMatchObject({ ok: false, code: 'malformed' })
    }
  })
})
