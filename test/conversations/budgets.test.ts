import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Balance } from '../../worker/budget/ledger-store.ts'
import type { Spending } from '../../worker/budget/spending-store.ts'
import type { Acknowledgement } from '../../worker/wire/messages.ts'
import { event } from '../support/completion-stream.ts'
import { KillableServer } from '../support/killable-server.ts'
import { type ModelHandler, type ModelServer, startModelServer } from '../support/model-server.ts'
import { answer, close, hang, head, reset, send, type Step } from '../support/model-steps.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { IS_LONG, variants } from '../support/runs.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

const CONFIG = 'test/conversations/budget-worker.toml'
const SECRET = 'zh3Vq8mQk2LpXw2RtY6bNc7fJd9sGa4u'
const WORDS = 'canary-words-of-a-learner'
/** The token usage that the scripted model reports for each call. */
const EACH = { input: 700, output: 50 }
/** The price of a million tokens is one dollar, so one token costs one micro-dollar. */
const PRICES = { WALKON_PRICE_INPUT: '1', WALKON_PRICE_OUTPUT: '1' }

let model: ModelServer
/** A server with only the default limits. */
let unlimited: WorkerServer
/** The servers that the tests have started with other limits, by these limits. */
const limited = new Map<string, WorkerServer>()
let answerNow: ModelHandler
const players: Player[] = []
const servers: { stop(): Promise<void> }[] = []

const counted = () => reply(EACH.input, EACH.output)
beforeAll(async () => {
  model = await startModelServer((request) => answerNow(request))
  unlimited = await startWorkerServer({ configPath: CONFIG, vars: settings({}) })
})
afterEach(async () => {
  for (const player of players.splice(0)) player.leave()
  for (const server of servers.splice(0)) await server.stop()
})
afterAll(async () => {
  for (const server of [unlimited, ...limited.values()]) await server.stop()
  await model.close()
})

function reply(input: number, output: number): Step[] {
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  const said = event({ content: 'Go on, ask me.\n---END---\n{"node_satisfied": false}' }) + event({}, 'stop')
  return [head(), send(`${said}data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`), close]
}

function settings(more: Record<string, string>): Record<string, string> {
  return {
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'walkon-test',
    WALKON_MODEL_MAX_TOKENS: '100',
    // Long timeouts: after a timeout, the token usage of the model call would be unknown.
    WALKON_MODEL_IDLE_MS: '120000',
    WALKON_MODEL_OVERALL_MS: '120000',
    WALKON_TURN_LEASE_MS: '120000',
    ...more,
  }
}

/** Returns a server with these limits. Tests with the same limits share a server. */
async function start(more: Record<string, string>, handler: ModelHandler = counted): Promise<WorkerServer> {
  answerNow = handler
  if (Object.keys(more).length === 0) return unlimited
  const limits = JSON.stringify(more)
  const server = limited.get(limits) ?? (await startWorkerServer({ configPath: CONFIG, vars: settings(more) }))
  limited.set(limits, server)
  return server
}

async function join(server: Pick<WorkerServer, 'url' | 'fetch'>, who: string | null = null): Promise<Player> {
  const identity = who && { user: who, hash: createHmac('sha256', SECRET).update(who).digest('hex') }
  const body = { scenario: 'launch-decision', npc: 'maya', ...(identity ? { identity } : {}) }
  const player = await Player.join(server, await openSession(server, body))
  players.push(player)
  return player
}

/**
 * Time that a test waits for an answer. On a busy machine, the server answers slowly while it gets a flood of messages.
 */
const PATIENCE_MS = 120_000

const say = (player: Player, text = WORDS, cid = newCid()): Promise<Acknowledgement> =>
  player.client.socket.timeout(PATIENCE_MS).emitWithAck('say', { cid, text })

/** Sends a message and, if it is accepted, waits for the end of the turn. */
async function tell(player: Player, text?: string): Promise<string> {
  const acknowledgement = await say(player, text)
  return acknowledgement.ok ? (await player.turn(acknowledgement.turn)).outcome : acknowledgement.code
}

const today = () => new Date().toISOString().slice(0, 10)

async function balance(server: Pick<WorkerServer, 'fetch'>, name: string): Promise<Balance> {
  return (await (await server.fetch(`ledgers/${encodeURIComponent(name)}`)).json()) as Balance
}

/**
 * Waits until the ledger has this balance: the server replaces a call's reservation by its cost after the turn has
 * ended.
 */
async function balanceBecomes(server: Pick<WorkerServer, 'fetch'>, name: string, expected: Balance): Promise<void> {
  await expect.poll(() => balance(server, name)).toEqual(expected)
}

/** Returns what today's ledger has charged, once it has no reservation of an earlier test any more. */
async function usedToday(server: Pick<WorkerServer, 'fetch'>): Promise<number> {
  const name = `money ${today()}`
  await expect.poll(async () => (await balance(server, name)).held).toBe(0)
  return (await balance(server, name)).used
}

async function spending(server: Pick<WorkerServer, 'fetch'>, player: Player): Promise<Spending> {
  return (await (await server.fetch(`doors/${sessionOf(player)}/spending`)).json()) as Spending
}

const sessionOf = (player: Player): string => player.hello.conversation.session

const callsSince = (before: number): number => model.requests.all.length - before

/**
 * Returns the most tokens that any call since `before` may have used: the bytes of its messages, their overhead, and
 * the longest allowed reply.
 */
function mostAsked(before: number): number {
  const texts = model.requests.all
    .slice(before)
    .map(({ body }) => (body as { messages: { content: string }[] }).messages)
  return Math.max(
    ...texts.map((messages) => messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 64 + 100)),
  )
}

describe('a ledger with many simultaneous reservations', () => {
  it.each(
    variants([
      { limit: 100_000, amount: 137, fit: 729 },
      { limit: 1_000, amount: 1, fit: 1_000 },
      { limit: 999, amount: 1_000, fit: 0 },
    ]),
  )(
    '[budget-9] accepts exactly $fit of 1,000 reservations of $amount under a limit of $limit',
    async ({ limit, amount, fit }) => {
      const server = await start({})
      const rush = await server.fetch(`ledgers/rush-${limit}/rush`, {
        method: 'POST',
        body: JSON.stringify({ count: 1_000, amount, limit }),
      })
      const { held, crowded, over } = (await rush.json()) as Record<string, number>
      expect({ held, refused: (crowded ?? 0) + (over ?? 0) }).toEqual({ held: fit, refused: 1_000 - fit })
      expect(await balance(server, `rush-${limit}`)).toEqual({ used: 0, held: fit * amount })
    },
  )

  it.runIf(IS_LONG)('[budget-9] accepts exactly as many more as fit while others are settled', async () => {
    const server = await start({})
    const body = JSON.stringify({ count: 40, amount: 40, limit: 1_600, used: 10 })
    let letIn = 0
    for (let over = 0; over < 40;) {
      const rush = await server.fetch('ledgers/settling/rush', { method: 'POST', body })
      const counts = (await rush.json()) as Record<string, number>
      letIn += counts['held'] ?? 0
      over = counts['over'] ?? 0
    }
    // Each call reserves 40 tokens and uses 10. The server accepts 157 calls: before the last one, 156 calls had used
    // 1,560 tokens, so its 40 tokens just fit under the limit of 1,600.
    expect({ letIn, ...(await balance(server, 'settling')) }).toEqual({ letIn: 157, used: 1_570, held: 0 })
  })
})

/** The number of conversations, and the number of messages in each conversation. */
const FLOOD = IS_LONG ? 25 : 10
/** The budget of all conversations together: less than half of what the conversations request. */
const FLOOD_TOKENS = 240 * FLOOD ** 2
const FLOOD_MS = 120_000 + 300 * FLOOD ** 2
const KNOWN = ['complete', 'failed', 'spent', 'unavailable', 'ended']

describe('the ledger of a day', () => {
  it('[budget-17] is deleted completely two days after the first call', async () => {
    const began = Date.now()
    const rush = (used?: number) =>
      unlimited.fetch('ledgers/old/rush', {
        method: 'POST',
        body: JSON.stringify({ count: 2, amount: 5, limit: 100, used }),
      })
    await rush(5)
    const alarm = (await (await unlimited.fetch('ledgers/old/alarmAt')).json()) as number
    expect(alarm).toBeGreaterThanOrEqual(began + 2 * 86_400_000)
    expect(alarm).toBeLessThanOrEqual(Date.now() + 2 * 86_400_000)
    await rush()
    expect(await (await unlimited.fetch('ledgers/old/alarmAt')).json()).toBe(alarm)
    expect(await balance(unlimited, 'old')).toEqual({ used: 10, held: 10 })
    expect(await (await unlimited.fetch('ledgers/old/ring')).json()).toEqual([])
    expect(await balance(unlimited, 'old')).toEqual({ used: 0, held: 0 })
  })
})

describe('one attacker with many conversations', () => {
  it.runIf(IS_LONG)(
    '[budget-9] [budget-11] cannot cost more than the daily budget, however many messages they send',
    { timeout: FLOOD_MS },
    async () => {
      const limit = FLOOD_TOKENS
      const server = await start({
        ...PRICES,
        WALKON_MONEY_DAY: String(limit / 1_000_000),
        WALKON_TURNS_SESSION: '1000',
      })
      const before = model.requests.all.length
      const outcomes = await flood(server, { conversations: FLOOD, messages: FLOOD, who: null })
      await exhaust(server, null, outcomes)
      const calls = callsSince(before)
      const used = calls * (EACH.input + EACH.output)
      await balanceBecomes(server, `money ${today()}`, { used, held: 0 })
      expect(used).toBeLessThanOrEqual(limit)
      // The rest of the budget is less than a call may need.
      expect(limit - used).toBeLessThan(mostAsked(before))
      expect(outcomes.get('complete')).toBe(calls)
      expect([...outcomes.keys()].filter((each) => !KNOWN.includes(each))).toEqual([])
      // A turn fails if no budget is left after the server accepted the message. The server refuses later messages at
      // once.
      expect(outcomes.get('failed')).toBeGreaterThan(0)
    },
  )

  it.runIf(IS_LONG)(
    '[budget-20] [budget-9] spends only their own tokens if verified, and another learner still gets replies',
    { timeout: FLOOD_MS },
    async () => {
      const limit = IS_LONG ? 60_000 : FLOOD_TOKENS
      const server = await start({
        ...PRICES,
        WALKON_MONEY_DAY: '100',
        WALKON_TOKENS_LEARNER_DAY: String(limit),
        WALKON_TURNS_SESSION: '1000',
        WALKON_IDENTITY: 'optional',
        WALKON_IDENTITY_SECRET: SECRET,
        WALKON_LEARNER_SECRET: 'uE4aGs9dJf7cNb6YtR2wXpL2kQm8qV3hz',
      })
      const before = model.requests.all.length
      const [outcomes, heard] = await Promise.all([
        flood(server, { conversations: FLOOD, messages: FLOOD, who: 'mallory' }),
        (async () => {
          const ada = await join(server, 'ada')
          const outcomes: string[] = []
          for (let turn = 0; turn < 8; turn++) outcomes.push(await tell(ada, `Question ${turn}?`))
          return outcomes
        })(),
      ])
      expect(heard).toEqual(Array.from({ length: 8 }, () => 'complete'))
      await exhaust(server, 'mallory', outcomes)
      const hers = callsSince(before) - 8
      expect(outcomes.get('complete')).toBe(hers)
      expect(hers * (EACH.input + EACH.output)).toBeLessThanOrEqual(limit)
      expect(limit - hers * (EACH.input + EACH.output)).toBeLessThan(mostAsked(before))
      const used = callsSince(before) * (EACH.input + EACH.output)
      await balanceBecomes(server, `money ${today()}`, { used, held: 0 })
    },
  )
})

/** Limits of how fast a learner may write, and of the day's money. */
const PACED = { ...PRICES, WALKON_MONEY_DAY: '1', WALKON_TURNS_MINUTE: '2' }
/** Limits of the turns and the tokens of one conversation. */
const SHORT = { WALKON_TURNS_SESSION: '3', WALKON_TOKENS_SESSION: '25000' }

describe('the limits of a conversation', () => {
  it.runIf(IS_LONG)('[budget-1] refuse messages that are too fast, for exactly as long as announced', async () => {
    const server = await start(PACED)
    const player = await join(server)
    expect([await tell(player), await tell(player)]).toEqual(['complete', 'complete'])
    const before = model.requests.all.length
    const refused = await say(player)
    expect(refused).toMatchObject({ ok: false, code: 'too-fast', next: 'retry-after' })
    const wait = refused.ok ? 0 : (refused.retryAfterMs ?? 0)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60_000)
    await server.evict({ className: 'ConversationObject', id: sessionOf(player) })
    expect(await say(player)).toMatchObject({ code: 'too-fast' })
    expect(callsSince(before)).toBe(0)
  })

  it('[budget-3] count a message sent ten times from two tabs as one turn, one call and one charge', async () => {
    const server = await start(PACED)
    const player = await join(server)
    const other = await Player.join(server, sessionOf(player))
    players.push(other)
    const before = model.requests.all.length
    const used = await usedToday(server)
    const cid = newCid()
    const sent = Array.from({ length: 10 }, (_, i) => say(i % 2 ? player : other, WORDS, cid))
    const acknowledged = await Promise.all(sent)
    expect(new Set(acknowledged.map((each) => JSON.stringify(each))).size).toBe(1)
    await player.turn(1)
    await say(player, WORDS, cid)
    expect(callsSince(before)).toBe(1)
    await balanceBecomes(server, `money ${today()}`, { used: used + 750, held: 0 })
    expect(await spending(server, player)).toMatchObject({ tokens: 750, begun: [expect.any(Number)] })
  })

  it.runIf(IS_LONG)(
    '[budget-4] refuse a second message during a reply, store nothing of it, and accept it afterwards',
    async () => {
      const gate = Promise.withResolvers<void>()
      const server = await start({}, () => [{ kind: 'wait', until: gate.promise }, ...counted()])
      const player = await join(server)
      const before = model.requests.all.length
      expect(await say(player)).toMatchObject({ ok: true })
      const cid = newCid()
      for (let again = 0; again < 5; again++)
        expect(await say(player, 'And another thing.', cid)).toMatchObject({ code: 'busy', retryAfterMs: 1_000 })
      gate.resolve()
      await player.turn(1)
      expect(callsSince(before)).toBe(1)
      expect(await say(player, 'And another thing.', cid)).toMatchObject({ ok: true, turn: 2 })
      expect((await player.turn(2)).outcome).toBe('complete')
    },
  )

  it('[budget-2] [budget-5] count attempts and retries, charge each call, and end the conversation at its last turn', async () => {
    let broken = true
    const server = await start(SHORT, () => (broken ? [head(), send(event({ content: 'Well' })), reset] : counted()))
    const player = await join(server)
    expect(await tell(player)).toBe('failed')
    // The model's reply broke off, so the server charges the most tokens that the call can have used.
    const most = (await spending(server, player)).tokens
    expect(most).toBeGreaterThan(6_000)
    broken = false
    expect(await player.emit('retry', { cid: newCid(), turn: 1 })).toMatchObject({ ok: true })
    expect((await player.turn(1, 2)).outcome).toBe('complete')
    expect((await spending(server, player)).tokens).toBe(most + 750)
    expect(await tell(player)).toBe('complete')
    expect(await say(player)).toMatchObject({ code: 'too-many-turns', next: 'start-over' })
  })

  it('[budget-5] make a turn without tokens left fail in character, and tell the learner to start over', async () => {
    const server = await start(SHORT, () => reply(19_000, 1_000))
    const player = await join(server)
    const before = model.requests.all.length
    expect(await tell(player)).toBe('complete')
    // The first turn used 20,000 of 25,000 tokens. The remaining tokens may be too few for any briefing.
    expect(await say(player)).toMatchObject({ ok: true, turn: 2 })
    expect(await player.turn(2)).toMatchObject({ outcome: 'failed', text: expect.stringMatching(/\w.*[.?]$/) })
    expect(await say(player)).toMatchObject({ code: 'too-many-turns', next: 'start-over' })
    expect(callsSince(before)).toBe(1)
    expect((await spending(server, player)).tokens).toBe(20_000)
  })

  it('[budget-11] reached in the middle of a turn give a line in character, then `spent` until the day ends', async () => {
    const server = await start({ ...PRICES, WALKON_MONEY_DAY: '0.001' })
    const player = await join(server)
    const before = model.requests.all.length
    const acknowledgement = await say(player)
    expect(acknowledgement).toMatchObject({ ok: true })
    expect(await player.turn(1)).toMatchObject({ outcome: 'failed', text: expect.stringMatching(/\w.*[.?]$/) })
    const midnight = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000
    for (const refused of [await say(player), await player.emit('retry', { cid: newCid(), turn: 1 })]) {
      expect(refused).toMatchObject({ ok: false, code: 'spent', next: 'retry-after' })
      const until = Date.now() + (refused.ok ? 0 : (refused.retryAfterMs ?? 0))
      expect(Math.abs(until - midnight)).toBeLessThan(60_000)
    }
    expect(callsSince(before)).toBe(0)
    expect(await balance(server, `money ${today()}`)).toEqual({ used: 0, held: 0 })
  })

  it.runIf(IS_LONG)(
    '[budget-10] wake no ledger without a shared limit, and never for the rehearsal actor',
    async () => {
      const server = await start({})
      expect(await tell(await join(server))).toBe('complete')
      expect(await balance(server, `money ${today()}`)).toEqual({ used: 0, held: 0 })
      const rehearsed = await startWorkerServer({
        configPath: CONFIG,
        vars: { ...PRICES, WALKON_MONEY_DAY: '0.000001', WALKON_REHEARSAL_PACE_MS: '0' },
      })
      servers.push(rehearsed)
      const player = await join(rehearsed)
      expect(await tell(player, "Hi, what's going on?")).toBe('complete')
      expect((await spending(rehearsed, player)).tokens).toBe(0)
    },
  )

  it.runIf(IS_LONG)(
    '[budget-15] try an invalid model key three times, and then fail turns without a call',
    async () => {
      let status = 401
      const server = await start({}, () => (status === 200 ? counted() : answer(status, {}, '{}')))
      const player = await join(server)
      const before = model.requests.all.length
      for (let turn = 0; turn < 8; turn++) expect(await tell(player)).toBe('failed')
      expect(callsSince(before)).toBe(3)
      // Each conversation counts the failures of its own calls, so a new conversation can still get replies.
      status = 200
      expect(await tell(await join(server))).toBe('complete')
      expect(await tell(player)).toBe('failed')
    },
  )

  it.runIf(IS_LONG)(
    '[budget-17] leave no text of a conversation in a ledger, in the stored budget or in a log',
    async () => {
      const server = await start({ ...PRICES, WALKON_MONEY_DAY: '0.01' })
      const player = await join(server)
      while ((await tell(player)) !== 'spent');
      await expect.poll(() => server.logs().join('\n')).toContain('budget-spent')
      const rows = await server.sql({ className: 'LedgerObject', name: `money ${today()}` }, 'SELECT * FROM balance')
      const kept = JSON.stringify([rows, await spending(server, player), server.logs()])
      expect(kept).toContain('budget-spent')
      expect(kept).not.toMatch(/canary|Go on, ask me/)
    },
  )
})

describe('the budget after a crash', () => {
  it('[budget-8] charges the reservation of a call in which the object died, and the next attempt too', async () => {
    let calls = 0
    const server = await start(PACED, () =>
      ++calls === 1 ? [head(), send(event({ content: 'Let me' })), hang] : counted(),
    )
    const player = await join(server)
    const used = await usedToday(server)
    await say(player)
    await player.until(() => player.deltas.at(0))
    const { held } = await balance(server, `money ${today()}`)
    expect(held).toBeGreaterThan(6_000)
    await server.fetch(`doors/${sessionOf(player)}/die`)
    expect((await player.turn(1, 2)).outcome).toBe('complete')
    await balanceBecomes(server, `money ${today()}`, { used: used + 750, held })
    expect((await spending(server, player)).tokens).toBe(held + 750)
  })

  it.runIf(IS_LONG)(
    '[budget-8] [budget-1] has the same ledger, tokens and pace after a SIGKILL',
    { timeout: 180_000 },
    async () => {
      const vars = settings({ ...PRICES, WALKON_MONEY_DAY: '1', WALKON_TURNS_MINUTE: '3' })
      let calls = 0
      answerNow = () => (++calls === 2 ? [head(), send(event({ content: 'Let me' })), hang] : counted())
      const server = await KillableServer.start(CONFIG, vars)
      servers.push(server)
      const player = await join(server)
      expect(await tell(player)).toBe('complete')
      await say(player)
      await player.until(() => player.deltas.find(({ turn }) => turn === 2))
      const before = await balance(server, `money ${today()}`)
      expect(before).toEqual({ used: 750, held: expect.any(Number) })
      const { tokens, begun } = await spending(server, player)
      await server.kill()
      await server.resume(vars)
      expect((await player.turn(2, 2)).outcome).toBe('complete')
      await balanceBecomes(server, `money ${today()}`, { used: 1_500, held: before.held })
      expect(await spending(server, player)).toMatchObject({ tokens: tokens + 750, begun })
      expect(await tell(player)).toBe('complete')
      const last = await say(player)
      // If the test took more than a minute to get here, the limit per minute no longer applies.
      if (Date.now() < (begun[0] ?? 0) + 60_000) expect(last).toMatchObject({ code: 'too-fast' })
    },
  )
})

/**
 * Sends messages one at a time until the budget is used up: simultaneous calls would reserve so much that a part of the
 * budget stays unused.
 */
async function exhaust(server: WorkerServer, who: string | null, outcomes: Map<string, number>): Promise<void> {
  let player = await join(server, who)
  for (let outcome = ''; outcome !== 'spent';) {
    outcome = await tell(player)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (outcome === 'ended') player = await join(server, who)
  }
}

/**
 * Sends messages in all conversations at once, one after the other within each conversation. Returns how often each
 * outcome occurred.
 */
async function flood(
  server: WorkerServer,
  { conversations, messages, who }: { conversations: number; messages: number; who: string | null },
): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>()
  const joined: Player[] = []
  // Joins in groups: this test is not about many simultaneous connections.
  while (joined.length < conversations) {
    const group = Array.from({ length: Math.min(10, conversations - joined.length) }, () => join(server, who))
    joined.push(...(await Promise.all(group)))
  }
  await Promise.all(
    joined.map(async (player) => {
      for (let i = 0; i < messages; i++) {
        const outcome = await tell(player)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    }),
  )
  return outcomes
}
