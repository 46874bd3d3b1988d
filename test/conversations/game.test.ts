import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import { type RunHeld, issueRunKey } from '../../worker/trust/game-credentials.ts'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import type { DebriefView, RunStarted, RunView, TalkOpened } from '../../worker/wire/run.ts'
import { pointerOf, type Schema, violations, withValue } from '../support/bad-values.ts'
import { askGame, openTalk, runOf, startGame, talkWith } from '../support/game-client.ts'
import { admission, credentialsOf, passage } from '../support/credentials.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { connectClient } from '../support/socket-client.ts'
import { DEVELOPMENT, signOne } from '../support/sign-session.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

const CONFIG = 'test/conversations/fault-worker.toml'
const IDENTITY_SECRET = 'sZ8sJ9vX0mQ4kT7wR2yB5nC8dF1gH3jL'
const VARS = {
  WALKON_REHEARSAL_PACE_MS: '0',
  WALKON_IDENTITY: 'optional',
  WALKON_IDENTITY_SECRET: IDENTITY_SECRET,
  WALKON_ADMIN_SECRET: 'tW9xLq3Rk7Vb2Nf8Zs4Hd6Jm1Pc5Yg0A',
}
const POLL = { timeout: 60_000, interval: 20 }
/** How long a decision waits for a conversation's chain events, in milliseconds. */
const FLUSH_MS = 3_000

let server: WorkerServer
const players: Player[] = []

beforeAll(async () => {
  server = await startWorkerServer({ configPath: CONFIG, vars: VARS })
})
afterEach(async () => {
  for (const player of players.splice(0)) player.leave()
  await post('doors/db/up')
})
afterAll(() => server.stop())

const post = (at: string, body?: string) => server.fetch(at, { method: 'POST', ...(body !== undefined && { body }) })

async function rows<T>(sql: string): Promise<readonly T[]> {
  return (await (await post('doors/db', sql)).json()) as T[]
}

const begun = async () => Number(await (await server.fetch('doors/begun')).text())

const vouchedFor = (user: string) => ({
  identity: { user, hash: createHmac('sha256', IDENTITY_SECRET).update(user).digest('hex') },
})

const endsOf = (key: string) =>
  (JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString()) as { exp: number }).exp

/** Signs a run key as the worker does. */
function keyFor(held: Partial<RunHeld>): Promise<string> {
  const now = Date.now()
  const until = Math.floor(now / 1000) + 100
  const learner = { kind: 'anonymous', id: 'nobody' } as const
  return issueRunKey(DEVELOPMENT, { id: 'ctx_1', scenario: 'launch-decision', learner, until, ...held }, now)
}

async function join(key: string, npc: string): Promise<Player> {
  const player = await talkWith(server, key, npc)
  players.push(player)
  return player
}

async function queueOf(session: string): Promise<{ waiting: number; attempts: number }> {
  return (await (await server.fetch(`doors/${session}/queue`)).json()) as { waiting: number; attempts: number }
}

const unstruck = async (session: string) => (await server.fetch(`doors/${session}/unstruck`)).json()

const brought = (session: string) =>
  vi.waitFor(async () => expect(await queueOf(session)).toMatchObject({ waiting: 0 }), POLL)

/** Plays all turns of Maya's path, and picks the cards. */
async function playMaya(player: Player): Promise<void> {
  for (const { learner, node, choose } of path.turns) {
    await player.say(learner)
    if (choose) await player.emit('choose', { cid: newCid(), pivot: node, choice: choose.choice })
  }
  await player.until(() => player.commands().find((id) => id === 'AI_EndConversation'))
}

const refusal = (status: number, code: string, next: string) => ({ status, body: { error: { code, next } } })
const SHIP = { option: 'delay-a-week', reason: 'Because Maya said so.', evidence: [] as readonly string[] }
const decide = (key: string, asked: object) =>
  askGame<RunView & { run?: RunView }>(server, 'api/run/decision', { key, body: asked })

describe('starting a run', { timeout: 60_000 }, () => {
  it('[game-1] [game-5] returns a key and begins no conversation', async () => {
    const before = await begun()
    const answer = await askGame<RunStarted>(server, 'api/runs', {
      body: { scenario: 'launch-decision', nickname: '  Mo\u202eth\u200b ' },
    })
    expect(answer).toEqual({
      status: 201,
      body: { run: { id: expect.stringMatching(/^ctx_/), key: expect.any(String) } },
    })
    const view = await runOf(server, answer.body.run.key)
    expect(view).toMatchObject({
      id: answer.body.run.id,
      nickname: 'Moth',
      class: null,
      again: null,
      decision: null,
      facts: [],
      documents: [],
    })
    expect(new Set(view.people.map(({ status }) => status))).toEqual(new Set(['new']))
    expect(new Set(view.objectives.map(({ state }) => state))).toEqual(new Set(['open']))
    expect(await begun()).toBe(before)
  })

  it('[game-2] gives a key that expires after thirty days', async () => {
    const from = Math.floor(Date.now() / 1000)
    const { key } = await startGame(server)
    const began = endsOf(key) - 30 * 86_400
    expect(began).toBeGreaterThanOrEqual(from)
    expect(began).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000))
  })

  it('[game-1] is possible for simulations only', async () => {
    for (const scenario of ['week-three', 'one-to-one', 'nonsense', ''])
      expect(await askGame(server, 'api/runs', { body: { scenario } })).toMatchObject(
        refusal(404, 'unknown-scenario', 'start-over'),
      )
  })

  it('[game-1] recognises verified learners only', async () => {
    const learner = async (asked: object) => {
      const { id } = await startGame(server, asked)
      const [row] = await rows<{ user_id: string }>(`SELECT user_id FROM contexts WHERE id = '${id}'`)
      return row?.user_id
    }
    expect(await learner(vouchedFor('ada'))).toBe(await learner(vouchedFor('ada')))
    expect(await learner({})).not.toBe(await learner({}))
    const wrong = { ...vouchedFor('ada'), scenario: 'launch-decision' }
    wrong.identity.user = 'eve'
    expect(await askGame(server, 'api/runs', { body: wrong })).toMatchObject(
      refusal(401, 'identity-required', 'sign-in'),
    )
  })

  it('[game-1] [game-2] refuses a page of another origin', async () => {
    const headers = { Origin: 'https://elsewhere.example' }
    const { key } = await startGame(server)
    const asked = [
      askGame(server, 'api/runs', { body: { scenario: 'launch-decision' }, headers }),
      askGame(server, 'api/run', { key, headers }),
      askGame(server, 'api/run/talk', { key, body: { npc: 'maya' }, headers }),
    ]
    for (const answer of await Promise.all(asked))
      expect(answer).toMatchObject(refusal(403, 'forbidden-origin', 'give-up'))
  })

  it.each(['', '   ', '\u200b\u202e', '\u2800', 'x'.repeat(25), 'x'.repeat(300), '\u0301'])(
    '[game-3] refuses %j as a nickname',
    async (nickname) => {
      expect(await askGame(server, 'api/runs', { body: { scenario: 'launch-decision', nickname } })).toMatchObject(
        refusal(400, 'wrong-nickname', 'give-up'),
      )
    },
  )

  it.each(['x', 'x'.repeat(24), 'Zoë', '小川', '👩🏽‍🔬 7', 'عمر'])('[game-3] %j is one', async (nickname) => {
    const { key } = await startGame(server, { nickname })
    expect((await runOf(server, key)).nickname).toBe(nickname)
  })

  it('[game-3] is refused for a class that does not exist', async () => {
    const body = { scenario: 'launch-decision', class: 'NOSUCHCLASS0', nickname: 'Moth' }
    const before = await rows('SELECT id FROM contexts')
    expect(await askGame(server, 'api/runs', { body })).toMatchObject(refusal(404, 'unknown-class', 'give-up'))
    expect(await askGame(server, 'api/runs', { body: { ...body, nickname: undefined } })).toMatchObject(
      refusal(400, 'wrong-nickname', 'give-up'),
    )
    expect(await rows('SELECT id FROM contexts')).toEqual(before)
  })
})

describe('the key of a run', { timeout: 60_000 }, () => {
  const ASKED: readonly [string, object | undefined][] = [
    ['api/run', undefined],
    ['api/run/talk', { npc: 'maya' }],
    ['api/run/named', { reason: SHIP.reason }],
    ['api/run/decision', SHIP],
  ]

  it('[game-2] is required by every route, and no other key is accepted', async () => {
    const { id, key } = await startGame(server)
    const { key: session } = await openTalk(server, key, 'maya')
    const held: RunHeld = { id, scenario: 'launch-decision', learner: { kind: 'anonymous', id: 'x' }, until: 1 }
    const old = await issueRunKey(DEVELOPMENT, held, Date.now())
    const other = `${key.slice(0, -1)}${key.endsWith('A') ? 'E' : 'A'}`
    const wrong = [undefined, '', 'x', session, other, old, await signOne('key', id, { ep: 0 })]
    // The database is down, so the server must refuse a wrong key without the database.
    await post('doors/db/down')
    for (const [at, body] of ASKED)
      for (const each of wrong)
        expect(
          await askGame(server, at, { ...(each !== undefined && { key: each }), ...(body && { body }) }),
        ).toMatchObject(refusal(401, 'not-admitted', 'sign-in'))
  })

  it("[game-7] is refused if the run does not exist or is another learner's", async () => {
    const { id } = await startGame(server)
    const before = await begun()
    for (const key of [await keyFor({}), await keyFor({ id })])
      for (const [at, body] of ASKED)
        expect(await askGame(server, at, { key, ...(body && { body }) })).toMatchObject(
          refusal(404, 'unknown-run', 'start-over'),
        )
    expect(await begun()).toBe(before)
    const gone = await keyFor({ scenario: 'no-longer-there' })
    for (const [at, body] of ASKED)
      expect(await askGame(server, at, { key: gone, ...(body && { body }) })).toMatchObject(
        refusal(404, 'unknown-scenario', 'start-over'),
      )
  })

  it.runIf(IS_LONG)('[game-2] is refused without a database', { timeout: 180_000 }, async () => {
    const plain = await startWorkerServer({ configPath: 'test/conversations/alarm-worker.toml', vars: VARS })
    try {
      const key = await keyFor({})
      for (const [at, body] of [...ASKED, ['api/runs', { scenario: 'launch-decision' }] as const])
        expect(await askGame(plain, at, { key, ...(body && { body }) })).toMatchObject(
          refusal(404, 'not-found', 'give-up'),
        )
    } finally {
      await plain.stop()
    }
  })
})

async function revoke(session: string): Promise<void> {
  const { status } = await server.fetch(`api/admin/sessions/${session}/revoke`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${VARS.WALKON_ADMIN_SECRET}` },
  })
  expect(status).toBe(200)
}

describe('opening a talk', { timeout: 60_000 }, () => {
  it('[game-8] gives twenty simultaneous requests the same conversation', async () => {
    const { id, key } = await startGame(server)
    const before = await begun()
    const opened = await Promise.all(Array.from({ length: 20 }, () => openTalk(server, key, 'maya')))
    expect(new Set(opened.map(({ session }) => session)).size).toBe(1)
    expect(await rows(`SELECT npc FROM sessions WHERE run_id = '${id}'`)).toEqual([{ npc: 'maya' }])
    expect(await begun()).toBeGreaterThan(before)
    const [one, two] = await Promise.all([join(key, 'maya'), join(key, 'maya')])
    await one.say('Hello.')
    await two.turn(1)
    expect(two.hello.epoch).toBe(one.hello.epoch)
    expect((await openTalk(server, key, 'maya')).session).toBe(opened[0]?.session)
    expect((await openTalk(server, key, 'otto')).session).not.toBe(opened[0]?.session)
  })

  it.each(['before', 'after'])('[game-9] whoever died %s it began is not missed', async (when) => {
    const { id, key } = await startGame(server)
    await post(`doors/begin/${when}`)
    expect(await askGame(server, 'api/run/talk', { key, body: { npc: 'maya' } })).toMatchObject(
      refusal(500, 'unavailable', 'retry-after'),
    )
    const written = await rows(`SELECT session FROM plays WHERE run_id = '${id}'`)
    expect(written).toHaveLength(1)
    const { session } = await openTalk(server, key, 'maya')
    expect(written).toEqual([{ session }])
    const player = await join(key, 'maya')
    expect((await player.say('Hello.')).outcome).toBe('complete')
    await brought(session)
    expect((await runOf(server, key)).people[0]).toMatchObject({ npc: 'maya', status: 'talking' })
    expect(await rows(`SELECT met_at IS NOT NULL AS met FROM sessions WHERE run_id = '${id}'`)).toEqual([{ met: 1 }])
  })

  it('[game-9] begins no conversation that is not stored, and begins a stored one with the next request', async () => {
    const { key } = await startGame(server)
    const before = await begun()
    for (const mode of ['down', 'lost']) {
      await post(`doors/db/${mode}`)
      expect(await askGame(server, 'api/run/talk', { key, body: { npc: 'maya' } })).toMatchObject(
        refusal(500, 'unavailable', 'retry-after'),
      )
    }
    expect(await begun()).toBe(before)
    await post('doors/db/up')
    expect((await (await join(key, 'maya')).say('Hello.')).outcome).toBe('complete')
  })

  it('[game-10] gives credentials that expire no later than the key of the run', async () => {
    for (const who of [{}, vouchedFor('ada')]) {
      const { id } = await startGame(server, who)
      const [row] = await rows<{ user_id: string }>(`SELECT user_id FROM contexts WHERE id = '${id}'`)
      const kind = 'identity' in who ? 'verified' : 'anonymous'
      const until = Math.floor(Date.now() / 1000) + 100
      const key = await keyFor({ id, learner: { kind, id: row?.user_id ?? '' }, until })
      const opened = await openTalk(server, key, 'maya')
      for (const given of [opened.key, opened.token, opened.ticket]) expect(endsOf(given)).toBeLessThanOrEqual(until)
      expect(endsOf(opened.key)).toBe(until)
    }
  })

  it('[game-10] does not lift a revocation', async () => {
    const { key } = await startGame(server)
    const { session } = await openTalk(server, key, 'maya')
    await revoke(session)
    expect(await askGame(server, 'api/run/talk', { key, body: { npc: 'maya' } })).toMatchObject(
      refusal(401, 'not-admitted', 'sign-in'),
    )
    await openTalk(server, key, 'otto')
  })

  it('[game-10] [debrief-8] [again-7] leaves a revoked conversation out of a debrief, and refuses a copy of it', async () => {
    const { key } = await startGame(server)
    const { session } = await openTalk(server, key, 'maya')
    const maya = await join(key, 'maya')
    for (const { learner } of path.turns.slice(0, 1 + path.turns.findIndex(({ node }) => node === 'PIVOT_1')))
      await maya.say(learner)
    const otto = await join(key, 'otto')
    await otto.say('Hello.')
    for (const { hello } of [maya, otto]) await brought(hello.conversation.session)
    expect((await decide(key, SHIP)).status).toBe(200)
    const talks = async () =>
      (await askGame<Partial<DebriefView>>(server, 'api/run/debrief', { key })).body.talks?.map(({ npc }) => npc)
    // The server refuses the debrief until the run has all events ([debrief-15]).
    await vi.waitFor(async () => expect(await talks()).toEqual(['maya', 'otto']), POLL)
    await revoke(session)
    expect(await talks()).toEqual(['otto'])
    const wish = { npc: 'maya', pivot: 'PIVOT_1', cid: 'c' }
    expect(await askGame(server, 'api/run/again', { key, body: wish })).toMatchObject(
      refusal(404, 'unknown-moment', 'give-up'),
    )
  })

  it('[again-7] does not refuse to play again because of a revoked conversation that began after the fork', async () => {
    const { key } = await startGame(server)
    const maya = await join(key, 'maya')
    for (const { learner } of path.turns.slice(0, 1 + path.turns.findIndex(({ node }) => node === 'PIVOT_1')))
      await maya.say(learner)
    const { session } = await openTalk(server, key, 'otto')
    await (await join(key, 'otto')).say('Hello.')
    expect((await decide(key, SHIP)).status).toBe(200)
    await revoke(session)
    const wish = { npc: 'maya', pivot: 'PIVOT_1', cid: 'c' }
    const { status, body } = await askGame<RunStarted>(server, 'api/run/again', { key, body: wish })
    expect(status).toBe(201)
    expect((await runOf(server, body.run.key)).people.find(({ npc }) => npc === 'otto')?.status).toBe('new')
  })

  it.runIf(IS_LONG)(
    "[game-10] an identity that is brought has to be the run's, and has to be brought where it is required",
    { timeout: 180_000 },
    async () => {
      const { key } = await startGame(server, vouchedFor('ada'))
      const talk = (at: WorkerServer, who: object) =>
        askGame<TalkOpened>(at, 'api/run/talk', { key, body: { npc: 'maya', ...who } })
      expect(await talk(server, vouchedFor('eve'))).toMatchObject(refusal(401, 'identity-required', 'sign-in'))
      expect((await talk(server, vouchedFor('ada'))).status).toBe(200)
      const strict = await startWorkerServer({ configPath: CONFIG, vars: { ...VARS, WALKON_IDENTITY: 'required' } })
      try {
        expect(await askGame(strict, 'api/runs', { body: { scenario: 'launch-decision' } })).toMatchObject(
          refusal(401, 'identity-required', 'sign-in'),
        )
        const own = await startGame(strict, vouchedFor('ada'))
        const ask = (who: object) =>
          askGame<TalkOpened>(strict, 'api/run/talk', { key: own.key, body: { npc: 'maya', ...who } })
        expect(await ask({})).toMatchObject(refusal(401, 'identity-required', 'sign-in'))
        expect((await ask(vouchedFor('ada'))).status).toBe(200)
      } finally {
        await strict.stop()
      }
    },
  )

  it('[game-8] is possible with the colleagues of the simulation only', async () => {
    const { key } = await startGame(server)
    expect(await askGame(server, 'api/run/talk', { key, body: { npc: 'noor' } })).toMatchObject(
      refusal(404, 'unknown-npc', 'give-up'),
    )
  })
})

describe('a played run', { timeout: 180_000 }, () => {
  it('[game-4] [game-5] [game-6] [game-11] [game-12] [game-17] [game-18] shows only what was heard, and is decided once', async () => {
    const { id, key } = await startGame(server, { nickname: 'Moth' })
    const otto = await join(key, 'otto')
    await otto.say('Hello, what is this about?')
    const { session } = await openTalk(server, key, 'maya')
    await playMaya(await join(key, 'maya'))
    await brought(session)
    const before = await begun()
    const view = await runOf(server, key)
    expect(view.people.slice(0, 4)).toMatchObject([
      { npc: 'maya', status: 'over', completion: 'earned', next: { npc: 'marcus', why: expect.stringMatching(/\S/) } },
      { npc: 'marcus', status: 'new' },
      { npc: 'ines', status: 'new' },
      { npc: 'otto', status: 'talking' },
    ])
    expect(view.objectives.find(({ npc }) => npc === 'maya')?.state).toBe('met')
    const facts = view.facts.map((fact) => fact.id)
    expect(facts).toContain('medical-rate')
    expect(new Set(facts).size).toBe(facts.length)
    expect(new Set(view.facts.map(({ npc }) => npc))).toEqual(new Set(['maya']))
    expect(view.documents).toMatchObject([{ npc: 'maya', lines: expect.any(Array) }])
    // The response reveals neither what Marcus and Ines know nor how the run ends.
    expect(JSON.stringify(view)).not.toMatch(/C\.4|98\.6|kitchen table|nurse/)

    const reason = 'Medical is wrong 23.4% of the time. Being late costs $40,000 a week.'
    const named = await askGame(server, 'api/run/named', { key, body: { reason } })
    expect(named).toEqual({ status: 200, body: { facts: ['medical-rate'] } })

    const unheard = await decide(key, { ...SHIP, evidence: ['medical-rate', 'credit'] })
    expect(unheard).toMatchObject({
      status: 400,
      body: { error: { code: 'not-heard', next: 'give-up', facts: ['credit'] } },
    })
    expect(await decide(key, { ...SHIP, option: 'flip-a-coin' })).toMatchObject(
      refusal(400, 'unknown-option', 'give-up'),
    )
    // [game-17] Maya tells nothing of the third option. The view does not show it, and the answer does not say what it needs.
    expect([view.options?.map((option) => option.id), view.more]).toEqual([['ship-as-is', 'delay-a-week'], true])
    const early = await decide(key, { ...SHIP, option: 'hold-back-medical' })
    expect(early).toMatchObject(refusal(400, 'not-earned', 'give-up'))
    expect(JSON.stringify(early.body)).not.toMatch(/phasing|gate/)
    expect((await runOf(server, key)).decision).toBeNull()

    const asked = { ...SHIP, reason: ' Because\u202e Maya said so. ', evidence: ['medical-rate'] }
    const racing = await Promise.all(Array.from({ length: 5 }, () => decide(key, asked)))
    expect(racing.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const decided = await runOf(server, key)
    expect(decided.decision).toMatchObject({ ...SHIP, evidence: ['medical-rate'] })
    for (const { body } of racing) expect(body.decision).toEqual(decided.decision)
    expect(await decide(key, { ...asked, option: 'ship-as-is' })).toMatchObject({
      status: 409,
      body: { error: { code: 'decided', next: 'give-up' }, run: { id, decision: decided.decision } },
    })
    expect(await rows(`SELECT status, version FROM contexts WHERE id = '${id}'`)).toEqual([
      { status: 'completed', version: 2 },
    ])
    expect(await begun()).toBe(before)
    // The other conversations stay open: the learner can meet a new colleague, and the decision stays.
    await (await join(key, 'marcus')).say('Hello.')
    expect((await runOf(server, key)).decision).toEqual(decided.decision)
  })

  it.runIf(IS_LONG)('[game-13] waits for a fact that is on its way, but not for one that is stuck', async () => {
    const { key } = await startGame(server)
    const { session } = await openTalk(server, key, 'maya')
    const player = await join(key, 'maya')
    await player.say(path.turns[0]?.learner ?? '')
    await brought(session)
    await post('doors/db/down')
    for (const { learner } of path.turns.slice(1, 3)) await player.say(learner)
    await vi.waitFor(async () => expect((await queueOf(session)).attempts).toBeGreaterThan(3), POLL)
    await post('doors/db/up')
    // Without the request for a decision, the conversation would retry the delivery of its events only seconds later.
    const at = Date.now()
    let decided = await decide(key, { ...SHIP, evidence: ['medical-rate'] })
    // On a slow machine, the request may stop waiting before the chain has the events. Then the test waits for the
    // events and sends a second request.
    if (Date.now() - at >= FLUSH_MS) {
      await brought(session)
      decided = await decide(key, { ...SHIP, evidence: ['medical-rate'] })
    }
    expect(decided).toMatchObject({ status: 200, body: { decision: { evidence: ['medical-rate'] } } })
    expect(await queueOf(session)).toMatchObject({ waiting: 0 })

    const stuck = await startGame(server)
    const silent = await openTalk(server, stuck.key, 'maya')
    await post(
      `doors/${silent.session}/arm`,
      JSON.stringify([{ step: 'bring', when: 'before', nth: 1, fault: 'hang' }]),
    )
    await (await join(stuck.key, 'maya')).say('Hello.')
    await vi.waitFor(async () => expect(await unstruck(silent.session)).toBe(0), POLL)
    expect(await decide(stuck.key, { ...SHIP, evidence: ['medical-rate'] })).toMatchObject(
      refusal(400, 'not-heard', 'give-up'),
    )
    expect(await decide(stuck.key, SHIP)).toMatchObject({ status: 200 })
  })

  it.runIf(IS_LONG)('[game-13] does not wait for a conversation that never answers', async () => {
    const { key } = await startGame(server)
    const { session } = await openTalk(server, key, 'maya')
    const maya = await join(key, 'maya')
    await maya.say('Good morning.')
    // Waits until all work after the turn is done, so that the fault strikes the decision's request and not an alarm.
    await brought(session)
    maya.leave()
    await expect.poll(async () => (await server.fetch(`doors/${session}/alarmAt`)).json(), POLL).toBeNull()
    await post(`doors/${session}/arm`, JSON.stringify([{ step: 'schedule', when: 'before', nth: 1, fault: 'hang' }]))
    expect(await decide(key, { ...SHIP, evidence: ['medical-rate'] })).toMatchObject(
      refusal(400, 'not-heard', 'give-up'),
    )
    expect(await unstruck(session)).toBe(0)
  })
})

describe('bad input', { timeout: 120_000 }, () => {
  const text = (most: number): Schema => ({ type: 'string', minLength: 1, maxLength: most })
  const schema = (properties: Readonly<Record<string, Schema>>): Schema => ({
    type: 'object',
    required: Object.keys(properties),
    properties,
  })
  const ROUTES: readonly { at: string; shape: Schema; valid: object }[] = [
    { at: 'api/runs', shape: schema({ scenario: text(64) }), valid: { scenario: 'launch-decision' } },
    {
      at: 'api/runs',
      shape: schema({ nickname: text(24) }),
      valid: { scenario: 'launch-decision', nickname: 'Moth' },
    },
    { at: 'api/run/talk', shape: schema({ npc: text(64) }), valid: { npc: 'maya' } },
    { at: 'api/run/named', shape: schema({ reason: text(2_000) }), valid: { reason: SHIP.reason } },
    {
      at: 'api/run/decision',
      shape: schema({
        option: text(64),
        reason: text(2_000),
        evidence: { type: 'array', maxItems: 100, items: text(64) },
        unticked: { type: 'array', maxItems: 100, items: text(64) },
      }),
      valid: { ...SHIP, evidence: ['medical-rate'], unticked: ['credit'] },
    },
  ]
  const NEXT = ['give-up', 'start-over']

  it.each(ROUTES)('[game-14] to $at gets its error and changes nothing: $valid', async ({ at, shape, valid }) => {
    const { id, key } = await startGame(server)
    // Conversations of other tests may still change contexts of other runs, so only this run's versions are compared.
    const contexts = () => rows(`SELECT id, iif(root_id = '${id}', version, 0) AS version FROM contexts ORDER BY id`)
    const before = await contexts()
    // The server ignores unknown fields, and a request may leave out the nickname.
    const isKnown = (name: string | number) => Object.hasOwn(shape.properties ?? {}, name)
    const wrong = violations(shape, valid)
      .filter(({ path: [name] }) => name === undefined || isKnown(name))
      // The server removes invisible characters from a nickname ([game-3]) and from a reason.
      .filter(({ how, path: [name], codes }) => {
        const isLoose = (name === 'nickname' || name === 'unticked') && how === 'missing'
        return !isLoose && !((name === 'nickname' || name === 'reason') && codes.includes('INVALID_FORMAT'))
      })
    expect(wrong.length).toBeGreaterThan(4)
    for (const { how, path: where, value } of wrong) {
      const { status, body } = await askGame(server, at, { key, body: withValue(valid, where, value) })
      const told = [how, pointerOf('body', where), status, body.error?.next]
      expect(told).toEqual([how, pointerOf('body', where), expect.toBeOneOf([400, 404, 413]), expect.toBeOneOf(NEXT)])
      expect(JSON.stringify(body).length).toBeLessThan(500)
    }
    expect(await contexts()).toEqual(before)
  })

  it.each(['{', '[]', 'null', '"x"', ''])('[game-14] %s is none of them', async (body) => {
    const { key } = await startGame(server)
    for (const at of ['api/runs', 'api/run/talk', 'api/run/decision'])
      expect(await askGame(server, at, { key, body })).toMatchObject(refusal(400, 'malformed', 'give-up'))
  })

  it('[game-11] [game-14] is not a repeated fact, or a reason of the maximum length in any script', async () => {
    const { key } = await startGame(server)
    expect(await decide(key, { ...SHIP, evidence: ['credit', 'credit'] })).toMatchObject(
      refusal(400, 'malformed', 'give-up'),
    )
    expect(await decide(key, { ...SHIP, reason: '語'.repeat(2_001) })).toMatchObject(
      refusal(400, 'malformed', 'give-up'),
    )
    expect(await decide(key, { ...SHIP, reason: 'x'.repeat(16_384) })).toMatchObject(
      refusal(413, 'too-long', 'give-up'),
    )
    const reason = '語'.repeat(2_000)
    expect(await decide(key, { ...SHIP, reason })).toMatchObject({ status: 200, body: { decision: { reason } } })
  })

  it('[game-14] is not written to the log', async () => {
    const canary = 'heron-at-gate-nine'
    const { key } = await startGame(server, { nickname: canary })
    await decide(key, { ...SHIP, evidence: [canary] })
    await decide(key, { ...SHIP, reason: canary })
    await askGame(server, 'api/run/talk', { key, body: { npc: canary } })
    expect((await runOf(server, key)).decision?.reason).toBe(canary)
    // Waits for a log line that the server writes after all the other log lines of this test.
    const player = await join(key, 'maya')
    await player.say('Hello.')
    const { session } = player.hello.conversation
    const done = () => server.logs().some((line) => line.includes('"event":"turn-done"') && line.includes(session))
    await expect.poll(done, POLL).toBe(true)
    expect(server.logs().join('\n')).not.toContain(canary)
  })
})

describe('deleting a conversation with its key', { timeout: 60_000 }, () => {
  const erase = (session: string, body: unknown) =>
    server.fetch(`api/sessions/${session}/erase`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const sessionsIn = (session: string) => rows(`SELECT session FROM sessions WHERE session = '${session}'`)

  it('[trust-24] closes it, removes it from the chain, and lets nobody in again', async () => {
    const session = await openSession(server, { scenario: 'launch-decision', npc: 'maya' })
    const player = await Player.join(server, session)
    players.push(player)
    await player.say('What did run 47 show?')
    expect(await sessionsIn(session)).toHaveLength(1)
    const { key } = credentialsOf(session)
    const closed = new Promise((resolve) => player.client.socket.once('disconnect', resolve))
    const answer = await erase(session, { key })
    expect([answer.status, await answer.json()]).toEqual([200, { erased: true }])
    await closed
    expect(await sessionsIn(session)).toEqual([])
    const client = connectClient(new URL('socket.io/', server.url), {
      query: { ...passage(session), hb: '1' },
      auth: { v: WIRE_VERSION, ...admission(session) },
    })
    expect(await client.next('connect_error')).toBeDefined()
    client.socket.disconnect()
    // A repeated request changes nothing.
    expect((await erase(session, { key })).status).toBe(200)
  })

  it('[trust-24] is not for anybody without the key, nor with a revoked one', async () => {
    const body = { scenario: 'launch-decision', npc: 'maya' }
    const [mine, other] = await Promise.all([openSession(server, body), openSession(server, body)])
    expect((await erase(mine, {})).status).toBe(400)
    const { key } = credentialsOf(mine)
    for (const wrong of [credentialsOf(other).key, `${key.slice(0, -3)}abc`, 'none'])
      expect((await erase(mine, { key: wrong })).status).toBe(401)
    await revoke(mine)
    expect((await erase(mine, { key })).status).toBe(401)
    expect(await sessionsIn(mine)).toHaveLength(1)
  })
})
