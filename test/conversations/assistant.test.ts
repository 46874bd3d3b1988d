import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogEvent, PageView } from '../../worker/wire/messages.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { SharedServer } from '../support/shared.ts'

const TEXT = `---
title: Lanterns
author: Noor
tags: [light, city]
---
# Lanterns

Here teh first lantern was lit in 1820. It was was a oil lamp on Mill Street.

Nobody paid for it .
`

type TurnEvent = Extract<LogEvent, { type: 'turn' }>

let server: SharedServer
const players: Player[] = []
beforeAll(async () => {
  server = await SharedServer.open('plain')
})
afterAll(() => players.forEach((player) => player.leave()))

async function begin(): Promise<Player> {
  const player = await Player.join(server, await openSession(server, { scenario: 'page-assistant' }))
  players.push(player)
  return player
}

const HASH = '0123456789abcdef'
const show = (player: Player, page: PageView, hash = HASH) => player.emit('page', { hash, page })

async function ask(player: Player, text: string, context: string | null = HASH): Promise<TurnEvent> {
  const taken = await player.emit('say', { cid: newCid(), text, ...(context && { context }) })
  if (!taken.ok) throw new Error(taken.code)
  return player.turn(taken.turn)
}

describe('an assistant without a model', () => {
  it('[assistant-12] answers from the text that the page shows, and says which agent answered', async () => {
    const player = await begin()
    expect(await show(player, { editor: { filename: 'lanterns.md', content: TEXT } })).toMatchObject({ ok: true })
    expect(await ask(player, 'When was the first lantern lit?')).toMatchObject({
      agent: 'chat',
      outcome: 'complete',
      text: expect.stringContaining('1820'),
    })
    expect((await ask(player, 'Who is the author?')).text).toBe('The author is Noor.')
    expect((await ask(player, 'Who pays for the trams?')).text).toContain("I don't find that")
  })

  it('[assistant-12] [message-38] proposes changes to the text, each with its place', async () => {
    const player = await begin()
    await show(player, { editor: { filename: 'lanterns.md', content: TEXT } })
    expect(await ask(player, 'Can you proofread this?')).toMatchObject({
      agent: 'edit',
      text: expect.stringMatching(/^4 changes to lanterns\.md/),
    })
    const edits = await player.until(() => player.events.find((event) => event.type === 'edits'))
    expect(edits.filename).toBe('lanterns.md')
    let text = TEXT
    for (const { start, expected, text: next } of edits.operations.toReversed()) {
      expect(TEXT.slice(start, start + expected.length)).toBe(expected)
      text = text.slice(0, start) + next + text.slice(start + expected.length)
    }
    expect(text).toBe(
      TEXT.replace('teh', 'the').replace('was was', 'was').replace('a oil', 'an oil').replace('it .', 'it.'),
    )
  })

  it('[assistant-12] answers from a page that is nothing but a text, in both forms', async () => {
    const player = await begin()
    await show(player, { text: 'The price of a bowl is five euros.' })
    expect((await ask(player, 'What is the price of a bowl?')).text).toContain('five euros')
    const page = 'The price of a plate is nine euros.'
    const taken = await player.emit('say', { cid: newCid(), text: 'What is the price of a plate?', page })
    if (!taken.ok) throw new Error(taken.code)
    expect((await player.turn(taken.turn)).text).toContain('nine euros')
  })

  it('[assistant-12] proposes none to a text that may not be changed', async () => {
    const player = await begin()
    await show(player, { editor: { filename: 'lanterns.md', content: TEXT, editable: false } })
    expect((await ask(player, '@edit please')).text).toContain('may not be changed')
    expect(player.events.some((event) => event.type === 'edits')).toBe(false)
  })

  it('[assistant-12] cites the search results that the page hands over, and nothing else', async () => {
    const player = await begin()
    expect((await ask(player, '@research What do lamps burn?', null)).text).toContain('have found nothing')
    const results = { web: [{ title: 'Lamps', url: 'https://lamps.example', text: 'Early lamps burn whale oil.' }] }
    await show(player, { text: 'A page', results })
    const said = await ask(player, 'What do the sources say that lamps burn?')
    expect(said).toMatchObject({
      agent: 'research',
      text: expect.stringMatching(/whale oil.*https:\/\/lamps\.example/),
    })
  })

  it('[assistant-13] is told another page from the message on that names it', async () => {
    const player = await begin()
    await show(player, { editor: { filename: 'a.md', content: 'The bridge has seven arches.' } }, HASH)
    await show(player, { editor: { filename: 'b.md', content: 'The bridge has nine arches.' } }, 'fedcba9876543210')
    expect((await ask(player, 'How many arches has the bridge?', HASH)).text).toContain('seven')
    expect((await ask(player, 'And how many arches has this bridge?', 'fedcba9876543210')).text).toContain('nine')
    expect((await ask(player, 'How many arches has that bridge now?', null)).text).toContain("I don't find that")
    expect(await player.emit('say', { cid: newCid(), text: 'Hm?', context: '0'.repeat(16) })).toMatchObject({
      ok: false,
      code: 'unknown-page',
      next: 'retry-after',
    })
  })

  it('[assistant-14] locks the conversation to an agent, and takes the lock back', async () => {
    const player = await begin()
    await show(player, { editor: { filename: 'a.md', content: 'The bridge has seven arches.' } })
    expect(await player.emit('lock', { agent: 'edit' })).toMatchObject({ ok: true })
    expect((await ask(player, 'How many arches has it?')).agent).toBe('edit')
    expect((await ask(player, '@chat How many arches has it?')).agent).toBe('chat')
    expect((await ask(player, 'And the arches?')).agent).toBe('edit')
    expect((await ask(player, '@auto How many arches has the bridge?')).agent).toBe('chat')
    expect((await ask(player, 'How many arches again?')).agent).toBe('chat')
    expect(await player.emit('lock', { agent: 'nobody' })).toMatchObject({ ok: false, code: 'unknown-agent' })
  })

  it('[assistant-1] goes to the agent that the page requests, if neither the person nor a lock decides', async () => {
    const player = await begin()
    await show(player, { text: 'A page.', agent: 'edit' })
    expect((await ask(player, 'What sources are there?')).agent).toBe('edit')
    expect((await ask(player, '@research What sources are there?')).agent).toBe('research')
    await player.emit('lock', { agent: 'chat' })
    expect((await ask(player, 'What sources are there?')).agent).toBe('chat')
    await player.emit('lock', { agent: null })
    await show(player, { text: 'A page.', agent: 'nobody' }, 'fedcba9876543210')
    expect((await ask(player, 'What sources are there?', 'fedcba9876543210')).agent).toBe('research')
  })

  it('[assistant-13] [message-37] refuses a page that is malformed or too long, and a simulation refuses every page', async () => {
    const player = await begin()
    const bad: readonly unknown[] = [
      null,
      {},
      { hash: HASH },
      { hash: 'x', page: { text: 'a' } },
      { hash: HASH, page: {} },
      { hash: HASH, page: { text: 'a', pipeline: { id: 'p', title: '', summary: '' } } },
      { hash: HASH, page: { editor: { filename: '', content: '' } } },
      { hash: HASH, page: { editor: { filename: 'a', content: 'x'.repeat(24_001) } } },
    ]
    for (const body of bad) expect(await player.emit('page', body)).toMatchObject({ ok: false, code: 'malformed' })
    const maya = await Player.join(server, await openSession(server, { scenario: 'launch-decision', npc: 'maya' }))
    players.push(maya)
    expect(await show(maya, { text: 'a' })).toMatchObject({ ok: false, code: 'unknown-event' })
    expect(await maya.emit('lock', { agent: null })).toMatchObject({ ok: false, code: 'unknown-event' })
  })

  it('[assistant-23] [message-41] takes one verdict for each change, tells the agent, and proposes again no change that was left', async () => {
    const session = await openSession(server, { scenario: 'page-assistant' })
    const player = await Player.join(server, session)
    players.push(player)
    const decide = (ids: unknown, verdict: unknown = 'taken') => player.emit('verdict', { ids, verdict })
    expect(await decide(['1.0'])).toMatchObject({ ok: false, code: 'stale' })
    await show(player, { editor: { filename: 'lanterns.md', content: TEXT } })
    await ask(player, 'Can you proofread this?')
    const edits = await player.until(() => player.events.find((event) => event.type === 'edits'))
    const [first, second, third] = edits.operations.map(({ id }) => id)
    expect(await decide([first])).toMatchObject({ ok: true })
    const end = await player.until(() => player.events.find((event) => event.type === 'edit-end'))
    expect(end).toMatchObject({ turn: edits.turn, ids: [first], verdict: 'taken' })
    // One of them has a verdict, is unknown, or comes twice: nothing changes.
    for (const ids of [[first], [second, first], [second, '9.9'], [second, second], ['9.9', second]])
      expect(await decide(ids, 'left'), String(ids)).toMatchObject({ ok: false, code: 'stale' })
    for (const [ids, verdict] of [
      [[], 'left'],
      ['x', 'left'],
      [[second], 'maybe'],
      [[1], 'left'],
    ])
      expect(await decide(ids, verdict)).toMatchObject({ ok: false, code: 'malformed' })
    await server.evict({ className: 'ConversationObject', id: session })
    expect(await decide([second], 'left')).toMatchObject({ ok: true })
    expect(player.events.filter((event) => event.type === 'edit-end')).toHaveLength(2)

    expect((await ask(player, '@edit Once more, please.')).text).toMatch(/^3 changes to lanterns\.md/)
    const [told] = (await server.sql(
      { className: 'ConversationObject', id: session },
      `SELECT json_extract(body, '$[#-1].told.shared_memory.edits') AS edits FROM told ORDER BY turn DESC LIMIT 1`,
    )) as readonly { edits: string }[]
    expect(JSON.parse(told?.edits ?? '')).toMatchObject([
      { verdict: 'taken' },
      { verdict: 'left' },
      { verdict: 'open' },
      { verdict: 'open' },
    ])
    expect(third).toBeDefined()

    const maya = await Player.join(server, await openSession(server, { scenario: 'launch-decision', npc: 'maya' }))
    players.push(maya)
    expect(await maya.emit('verdict', { ids: ['1.0'], verdict: 'left' })).toMatchObject({ code: 'unknown-event' })
  })

  it('[assistant-31] ends what is still open when newer changes to the text are proposed, and proposes nothing twice', async () => {
    const player = await begin()
    const all = () => player.events.filter((event) => event.type === 'edits')
    await show(player, { editor: { filename: 'lanterns.md', content: TEXT } })
    await ask(player, '@edit Please proofread this.')
    const older = await player.until(() => all()[0])
    expect((await ask(player, '@edit Please proofread this.')).text).toMatch(/^Those 4 changes .* are open above/)
    expect(all()).toHaveLength(1)
    await show(player, { editor: { filename: 'lanterns.md', content: `${TEXT} It was realy late.` } })
    expect((await ask(player, '@edit Please proofread this.')).text).toMatch(/^5 changes/)
    const newer = await player.until(() => all()[1])
    const decide = (id: string | undefined) => player.emit('verdict', { ids: [id], verdict: 'taken' })
    expect(await decide(older?.operations[0]?.id)).toMatchObject({ ok: false, code: 'stale' })
    expect(await decide(newer?.operations[0]?.id)).toMatchObject({ ok: true })
  })

  it('[assistant-1] answers a mention of nobody with the agents that there are', async () => {
    const player = await begin()
    const said = await ask(player, '@nobody Are you there?', null)
    expect(said).toMatchObject({
      text: 'There is no @nobody here. Whom do you mean: @chat, @research, @edit?',
      offers: ['@chat Are you there?', '@research Are you there?', '@edit Are you there?'],
    })
    expect(said).not.toHaveProperty('agent')
  })

  it('[assistant-12] ends for no agent: the conversation has a walk of its own, and an agent at its end begins again', async () => {
    const session = await openSession(server, { scenario: 'page-assistant' })
    const player = await Player.join(server, session)
    players.push(player)
    const object = { className: 'ConversationObject', id: session }
    const walkOf = async () => (await server.sql(object, 'SELECT walk FROM session')) as readonly { walk: string }[]
    const before = await walkOf()
    await ask(player, '@edit look', null)
    await ask(player, '@chat look', null)
    expect(await walkOf()).toEqual(before)
    await server.sql(
      object,
      `UPDATE assistant SET body = json_set(body, '$.walks.edit.end', json('{"completion":"earned"}'), '$.walks.edit.node', 'CLOSE')`,
    )
    expect(await ask(player, '@edit look again', null)).toMatchObject({ agent: 'edit', outcome: 'complete' })
    expect(await ask(player, '@chat look again', null)).toMatchObject({ agent: 'chat', outcome: 'complete' })
    expect(player.events.filter(({ type }) => type === 'command')).toEqual([])
    const [{ body }] = (await server.sql(object, 'SELECT body FROM assistant')) as [{ body: string }]
    expect(JSON.parse(body)).toMatchObject({ walks: { edit: { seq: 1, end: null }, chat: { seq: 2 } } })
  })

  it('[assistant-12] goes on after its object was evicted', async () => {
    const session = await openSession(server, { scenario: 'page-assistant' })
    const player = await Player.join(server, session)
    players.push(player)
    await show(player, { editor: { filename: 'a.md', content: 'The bridge has seven arches.' } })
    await ask(player, '@edit look')
    await server.evict({ className: 'ConversationObject', id: session })
    expect((await ask(player, 'How many arches has the bridge?')).text).toContain('seven')
  })
})
