import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { InteractionLog } from '../../worker/core/walk/interaction-log.ts'
import type { LogEvent } from '../../worker/wire/messages.ts'
import { parcelDesk } from '../support/parcel-desk.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { webhookSecret } from '../support/webhook-receiver.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

const ADMIN = { Authorization: 'Bearer p4Qm8sLx2VtR6yWn1ZcB9dKf3HgJ5aUe', 'Content-Type': 'application/json' }
const HASH = '00000000000000bb'

interface Asked {
  readonly id: string
  readonly data: { readonly tool: string; readonly input: string }
}

/** The deployment's own server: what it was asked, and what it answers. `null`: it never does. */
const asked: Asked[] = []
let answer: { readonly status: number; readonly text: string } | null
let askedNow = () => {}
const own = createServer((request, response) => {
  void text(request).then((body) => {
    const { data } = JSON.parse(body) as Asked
    asked.push({ id: String(request.headers['webhook-id']), data })
    askedNow()
    if (answer) response.writeHead(answer.status).end(answer.text)
  })
})

let server: WorkerServer
const players: Player[] = []

beforeAll(async () => {
  await new Promise<void>((listening) => own.listen(0, '127.0.0.1', listening))
  server = await startWorkerServer({
    configPath: 'wrangler.toml',
    vars: {
      WALKON_ADMIN_SECRET: ADMIN.Authorization.slice('Bearer '.length),
      WALKON_REHEARSAL_PACE_MS: '0',
      WALKON_WEBHOOK_URL: `http://127.0.0.1:${(own.address() as AddressInfo).port}/hook`,
      WALKON_WEBHOOK_SECRET: webhookSecret(7),
      WALKON_WEBHOOK_INSECURE: 'true',
    },
    rateLimits: { LIMIT_ADMIN: 10_000, LIMIT_SESSIONS: 10_000 },
  })
  const sent = { method: 'POST', headers: ADMIN, body: JSON.stringify(parcelDesk()) }
  expect((await server.fetch('api/admin/scenarios', sent)).status).toBe(201)
})
beforeEach(() => {
  asked.length = 0
  answer = { status: 200, text: 'It is at the depot in Larkfield.' }
})
afterAll(async () => {
  for (const player of players) player.leave()
  await server.stop()
  own.closeAllConnections()
  own.close()
})

type Of<T extends LogEvent['type']> = Extract<LogEvent, { type: T }>

const first = <T extends LogEvent['type']>(player: Player, type: T, from = 0) =>
  player.until(() => player.events.find((event): event is Of<T> => event.type === type && event.seq > from))
const count = (player: Player, type: LogEvent['type']) => player.events.filter((event) => event.type === type).length

async function join(session: string): Promise<Player> {
  const player = await Player.join(server, session)
  players.push(player)
  return player
}

async function begun(): Promise<{ session: string; player: Player }> {
  const session = await openSession(server, { scenario: 'parcel-desk' })
  return { session, player: await join(session) }
}

async function say(player: Player, words: string, more: object = {}): Promise<number> {
  const taken = await player.emit('say', { cid: newCid(), text: words, ...more })
  if (!taken.ok) throw new Error(taken.code)
  return taken.turn
}

const replyTo = async (player: Player, words: string) => (await player.turn(await say(player, words))).text

/** Begins a conversation on a page with a calendar, in which the colleague asks whether it may look there. */
async function asking() {
  const { session, player } = await begun()
  expect(await player.emit('page', { hash: HASH, page: { text: 'My account.', tools: ['free_hour'] } })).toMatchObject({
    ok: true,
  })
  const turn = await say(player, 'Look into my calendar for Friday.', { context: HASH })
  return { session, player, turn, question: await first(player, 'permission') }
}

/** Sets when the turn stops waiting, as if time had passed, and wakes the object. */
async function hurry(session: string, player: Player): Promise<void> {
  const object = { className: 'ConversationObject', id: session }
  await server.sql(object, `UPDATE assistant SET body = json_set(body, '$.turn.calls[0].until', 1)`)
  await server.evict(object)
  await player.emit('lock', { agent: null })
}

async function entriesOf(session: string) {
  const answered = await server.fetch(`api/admin/sessions/${session}/log`, { headers: ADMIN })
  const log = (await answered.json()) as InteractionLog
  return [...log.past, log.current].flatMap(({ entries }) => entries.filter(({ kind }) => kind === 'used'))
}

describe('a tool of an action state', () => {
  it('[document-41] that the deployment runs is called once, and its answer is spoken in the same turn', async () => {
    const { session, player } = await begun()
    expect(await replyTo(player, 'Good morning.')).toContain('What would you like to know')
    expect(asked).toEqual([])
    expect(await replyTo(player, 'Where is my parcel 4711?')).toContain(
      'The depot says: It is at the depot in Larkfield.',
    )
    expect(asked).toEqual([
      { id: `${session}:2.0`, data: { tool: 'parcel_status', input: 'Where is my parcel 4711?' } },
    ])
    expect(player.events.map(({ type }) => type).slice(-4)).toEqual(['turn-start', 'tool-call', 'tool-end', 'turn'])
    expect(await entriesOf(session)).toMatchObject([{ turn: '2', text: expect.stringContaining('Larkfield') }])
  })

  it('[document-41] that the page runs asks for permission, waits without a runner, and goes on', async () => {
    const { session, player, turn, question } = await asking()
    expect(question).toMatchObject({
      operation: 'free_hour',
      cost: 'nothing',
      input: 'Look into my calendar for Friday.',
    })
    await server.evict({ className: 'ConversationObject', id: session })
    const other = await join(session)
    expect(await other.emit('permit', { id: question.id, answer: 'once' })).toMatchObject({ ok: true })
    const { call } = await first(player, 'tool-call')
    const claims = await Promise.all([player, other].map((tab) => tab.emit('tool', { call, claim: true })))
    expect(claims.filter(({ ok }) => ok)).toHaveLength(1)
    await server.evict({ className: 'ConversationObject', id: session })
    expect(await other.emit('tool', { call, ok: true, text: 'from ten to noon' })).toMatchObject({ ok: true })
    // Twice is once.
    expect(await player.emit('tool', { call, ok: true, text: 'all day' })).toMatchObject({ code: 'stale' })
    expect((await player.turn(turn)).text).toContain('You are at home from ten to noon.')
    expect([count(player, 'permission'), count(player, 'tool-call'), count(player, 'turn')]).toEqual([1, 1, 1])
  })

  it('[document-41] that is not allowed, fails, is late or never answers is said to have no result', async () => {
    const denied = await asking()
    await denied.player.emit('permit', { id: denied.question.id, answer: 'deny' })
    expect((await denied.player.turn(denied.turn)).text).toContain('tell me when you are at home')
    expect(count(denied.player, 'tool-call')).toBe(0)

    const unanswered = await asking()
    await hurry(unanswered.session, unanswered.player)
    expect((await unanswered.player.turn(unanswered.turn)).text).toContain('tell me when you are at home')
    expect(await first(unanswered.player, 'permission-end')).toMatchObject({ answer: 'expired' })

    const { player } = await begun()
    answer = { status: 500, text: 'Secret stack trace' }
    expect(await replyTo(player, 'Where is my parcel?')).toContain('The depot does not answer.')
    expect(await first(player, 'tool-end')).toMatchObject({ outcome: 'failed' })
  })

  it.runIf(IS_LONG)(
    '[document-41] that the deployment runs is called at most once, if the object dies in the middle of it',
    async () => {
      const { session, player } = await begun()
      answer = null
      const isAsked = new Promise<void>((resolve) => (askedNow = resolve))
      const turn = await say(player, 'Where is my parcel?')
      await isAsked
      const { call } = await first(player, 'tool-call')
      // No page has a say about it.
      expect(await player.emit('tool', { call, claim: true })).toMatchObject({ code: 'stale' })
      expect(await player.emit('tool', { call, ok: true, text: 'Forged.' })).toMatchObject({ code: 'stale' })
      await server.redeploy()
      const again = await join(session)
      await hurry(session, again)
      expect((await again.turn(turn)).text).toContain('The depot does not answer.')
      expect(await first(again, 'tool-end')).toMatchObject({ outcome: 'late' })
      expect(asked).toHaveLength(1)
    },
  )

  it('[document-41] that answers too much is cut', async () => {
    const { session, player } = await begun()
    answer = { status: 200, text: `It is here. ${'x'.repeat(40_000)}` }
    const said = await replyTo(player, 'Where is my parcel?')
    expect(said).toContain('The depot says: It is here.')
    expect(said.length).toBeLessThan(800)
    expect(JSON.stringify(await entriesOf(session)).length).toBeLessThan(2_500)
  })

  it('[document-41] is dropped with the turn that the person stops, and is not offered on a page that does not run it', async () => {
    const { player, turn, question } = await asking()
    expect(await player.emit('cancel', { turn })).toMatchObject({ ok: true })
    expect(await player.emit('permit', { id: question.id, answer: 'here' })).toMatchObject({ code: 'stale' })
    const plain = await begun()
    await replyTo(plain.player, 'Look into my calendar for Friday.')
    expect(count(plain.player, 'permission')).toBe(0)
    expect(count(player, 'tool-call')).toBe(0)
  })
})
