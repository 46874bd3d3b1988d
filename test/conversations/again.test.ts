import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import type { RunStarted, RunView } from '../../worker/wire/run.ts'
import { issueRunKey } from '../../worker/trust/game-credentials.ts'
import type { LogEvent } from '../../worker/wire/messages.ts'
import { door } from '../support/doors.ts'
import { askGame, openTalk, runOf, startGame, talkWith } from '../support/game-client.ts'
import { newCid, type Player } from '../support/player.ts'
import { DEVELOPMENT } from '../support/sign-session.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG, variants } from '../support/runs.ts'

let server: WorkerServer
const players: Player[] = []

beforeAll(async () => {
  server = await startWorkerServer({
    configPath: 'test/conversations/fault-worker.toml',
    vars: { WALKON_REHEARSAL_PACE_MS: '0' },
  })
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

async function join(key: string, npc: string): Promise<Player> {
  const player = await talkWith(server, key, npc)
  players.push(player)
  return player
}

/** Plays the turns of Maya's path from one index to another, and picks the cards after them. */
async function playMaya(player: Player, from: number, to: number): Promise<void> {
  for (const { learner, node, choose } of path.turns.slice(from, to)) {
    await player.say(learner)
    if (choose) await player.emit('choose', { cid: newCid(), pivot: node, choice: choose.choice })
  }
}

/**
 * Resolves when the server has opened a fork: the server sends a command for this after the event that ends the turn.
 */
const forked = (player: Player, pivot: string) =>
  player.until(() => player.commands().find((id) => id === `AI_PivotMoment:${pivot}`))
const ended = (player: Player) => player.until(() => player.commands().find((id) => id === 'AI_EndConversation'))

/** The number of the turn after which the server opens the first fork. */
const FORK = 1 + path.turns.findIndex(({ node }) => node === 'PIVOT_1')
const DECIDES = { option: 'delay-a-week', reason: 'Maya said so.', evidence: [] as readonly string[] }
const decide = (key: string, asked: object = DECIDES) =>
  askGame<RunView>(server, 'api/run/decision', { key, body: asked })

interface Wish {
  readonly npc: string
  readonly pivot: string
  readonly cid: string
}

const wish = (change: Partial<Wish> = {}): Wish => ({ npc: 'maya', pivot: 'PIVOT_1', cid: newCid(), ...change })
const again = (key: string, asked: object = wish()) =>
  askGame<RunStarted>(server, 'api/run/again', { key, body: asked })

async function begunAgain(key: string, asked: object = wish()): Promise<RunStarted['run']> {
  const { status, body } = await again(key, asked)
  if (status !== 201) throw new Error(`not begun again: ${status} ${body.error?.code}`)
  return body.run
}

/** Resolves when no event of a run's conversations is waiting for the chain. */
async function brought(run: string): Promise<void> {
  const sessions = await rows<{ session: string }>(`SELECT session FROM plays WHERE run_id = '${run}'`)
  for (const { session } of sessions)
    await expect.poll(async () => (await queueOf(session)).waiting, { timeout: 60_000 }).toBe(0)
}

/**
 * Time that a request to play again waits for the chain events of the copied conversations, in milliseconds. Later
 * events reach the chain after the response.
 */
const FLUSH_MS = 3_000

/**
 * Starts a run again, and resolves when the chain has all events of the copied conversations, even those that arrive
 * after the response.
 */
async function begunWhole(key: string, asked: object = wish()): Promise<RunStarted['run']> {
  const at = Date.now()
  const run = await begunAgain(key, asked)
  if (Date.now() - at >= FLUSH_MS) await brought(run.id)
  return run
}

/** Plays a run up to Maya's first fork, records the run's state at the fork, and plays on to a decision. */
async function decidedRun({ isPlayedOut = false } = {}) {
  const { id, key } = await startGame(server, { nickname: 'Moth' })
  const otto = await join(key, 'otto')
  await otto.say('Hello, what is this about?')
  const maya = await join(key, 'maya')
  await playMaya(maya, 0, FORK - 1)
  await maya.say(path.turns[FORK - 1]?.learner ?? '')
  await forked(maya, 'PIVOT_1')
  // Waits until the chain has the run's events, because the state is read from the chain.
  await brought(id)
  const stood = await runOf(server, key)
  const events = [...maya.events]
  await maya.emit('choose', { cid: newCid(), pivot: 'PIVOT_1', choice: 'a' })
  if (isPlayedOut) {
    await playMaya(maya, FORK, path.turns.length)
    await ended(maya)
  }
  await otto.say('And after that?')
  await (await join(key, 'ines')).say('Hello.')
  expect((await decide(key)).status).toBe(200)
  await brought(id)
  return { id, key, maya, stood, events }
}

async function queueOf(session: string): Promise<{ waiting: number }> {
  return (await (await server.fetch(`doors/${session}/queue`)).json()) as { waiting: number }
}

/** Returns the events without their times and without the ids that are different in a copy. */
const told = (events: readonly LogEvent[]) =>
  events.map((event) => {
    const { at: _, ...rest } = event
    if (rest.type === 'turn-start') return { ...rest, cid: '' }
    if (rest.type === 'pivot-end' && rest.choice) return { ...rest, choice: { ...rest.choice, cid: '' } }
    return rest
  })

/** Returns the key of a run that the server has stored, but whose key no client has received. */
function keyFor({ id, user_id: learner }: { readonly id: string; readonly user_id: string } = { id: '', user_id: '' }) {
  const now = Date.now()
  const held = { id, scenario: 'launch-decision', learner: { kind: 'anonymous', id: learner } } as const
  return issueRunKey(DEVELOPMENT, { ...held, until: Math.floor(now / 1000) + 100 }, now)
}

const refusal = (status: number, code: string, next: string) => ({ status, body: { error: { code, next } } })

describe('playing again from a fork', { timeout: 120_000 }, () => {
  it('[again-3] [again-4] [again-5] starts a separate run in which the other card can be picked, and keeps the first run', async () => {
    const { id, key, maya, stood, events } = await decidedRun({ isPlayedOut: true })
    const before = await runOf(server, key)
    const other = await begunWhole(key)
    expect(other.id).not.toBe(id)
    const view = await runOf(server, other.key)
    expect(view).toEqual({
      ...stood,
      id: other.id,
      startedAt: view.startedAt,
      again: { npc: 'maya', pivot: 'PIVOT_1' },
    })

    const copy = await join(other.key, 'maya')
    expect(copy.hello.events).toEqual(events)
    await copy.emit('choose', { cid: newCid(), pivot: 'PIVOT_1', choice: 'b' })
    const picked = await copy.until(() => copy.events.find(({ type }) => type === 'pivot-end'))
    expect(picked).toMatchObject({ choice: { id: 'b' } })
    expect(maya.events.find(({ type }) => type === 'pivot-end')).toMatchObject({ choice: { id: 'a' } })
    expect((await copy.say('And what else is there?')).outcome).toBe('complete')
    expect(await runOf(server, key)).toEqual(before)
    expect((await decide(other.key, { ...DECIDES, option: 'ship-as-is' })).body.decision?.option).toBe('ship-as-is')
    expect((await runOf(server, key)).decision?.option).toBe('delay-a-week')
    // The learner can now meet a colleague whom they had not met at the fork.
    expect((await runOf(server, other.key)).people.find(({ npc }) => npc === 'ines')?.status).toBe('new')
    expect((await (await join(other.key, 'ines')).say('Hello.')).outcome).toBe('complete')
  })

  it.runIf(IS_LONG)('[again-3] reaches the same end with the same messages', async () => {
    const { key, maya } = await decidedRun({ isPlayedOut: true })
    const other = await begunAgain(key)
    const copy = await join(other.key, 'maya')
    await copy.emit('choose', { cid: newCid(), pivot: 'PIVOT_1', choice: 'a' })
    await playMaya(copy, FORK, path.turns.length)
    await ended(copy)
    expect(told(copy.events)).toEqual(told(maya.events))
    const [first, second] = await Promise.all([openTalk(server, key, 'maya'), openTalk(server, other.key, 'maya')])
    expect(second.session).not.toBe(first.session)
    expect(await door(server, second.session, 'walk')).toEqual(await door(server, first.session, 'walk'))
  })

  it.runIf(IS_LONG)('[again-4] works from the second fork of a run that was itself started again', async () => {
    const { key } = await decidedRun()
    const first = await begunAgain(key)
    const maya = await join(first.key, 'maya')
    await maya.emit('choose', { cid: newCid(), pivot: 'PIVOT_1', choice: 'b' })
    await playMaya(
      maya,
      FORK,
      path.turns.findIndex(({ node }) => node === 'PIVOT_2'),
    )
    await maya.say(path.turns.find(({ node }) => node === 'PIVOT_2')?.learner ?? '')
    await forked(maya, 'PIVOT_2')
    await decide(first.key)
    const second = await begunAgain(first.key, wish({ pivot: 'PIVOT_2' }))
    expect((await join(second.key, 'maya')).hello.events).toEqual(maya.events)
    expect((await join((await begunAgain(first.key)).key, 'maya')).commands()).toEqual(['AI_PivotMoment:PIVOT_1'])
  })

  it.runIf(IS_LONG)(
    '[again-4] [memory-18] treats an anonymous learner as new to colleagues whom they met after that fork',
    async () => {
      const { id, key } = await decidedRun()
      const met = () => rows(`SELECT npc FROM sessions WHERE run_id = '${id}' AND npc = 'ines' AND met_at IS NOT NULL`)
      await expect.poll(met, { timeout: 60_000 }).toHaveLength(1)
      const person = async (run: string, npc: string) =>
        (await door(server, (await openTalk(server, run, npc)).session, 'info')).person
      const other = await begunAgain(key)
      expect(await person(other.key, 'ines')).toBe('new')
    },
  )
})

describe('the same request to play again', { timeout: 120_000 }, () => {
  /**
   * Begins conversations until a request succeeds. By then, the two objects that must die have died. The request to
   * play again fails at the first death, perhaps before it calls the second object.
   */
  async function allDead(): Promise<void> {
    const { key } = await startGame(server)
    const begin = () => askGame(server, 'api/run/talk', { key, body: { npc: 'otto' } })
    while ((await begin()).status !== 200);
  }

  it('[again-6] starts one run, whether sent at once or later', async () => {
    const { key } = await decidedRun()
    const asked = wish()
    const runs = await Promise.all(Array.from({ length: 5 }, () => begunAgain(key, asked)))
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1)
    expect((await begunAgain(key, asked)).id).toBe(runs[0]?.id)
    expect((await begunAgain(key)).id).not.toBe(runs[0]?.id)
    expect(await rows(`SELECT npc FROM plays WHERE run_id = '${runs[0]?.id}' ORDER BY npc`)).toEqual([
      { npc: 'maya' },
      { npc: 'otto' },
    ])
  })

  it.each(variants(['before', 'after']))(
    '[again-6] if an object dies %s it begins a conversation, the next request begins it',
    async (when) => {
      const { id, key, events } = await decidedRun()
      for (const finish of ['again', 'talk'] as const) {
        const asked = wish()
        await post(`doors/begin/${when}`)
        await post(`doors/begin/${when}`)
        expect(await again(key, asked)).toMatchObject(refusal(500, 'unavailable', 'retry-after'))
        await allDead()
        const [written] = await rows<{ id: string; user_id: string }>(
          `SELECT id, user_id FROM contexts WHERE parent_id IS NULL AND json_extract(data, '$.again.run') = '${id}'
         ORDER BY row DESC`,
        )
        const other =
          finish === 'again' ? await begunAgain(key, asked) : { id: written?.id ?? '', key: await keyFor(written) }
        expect(other.id).toBe(written?.id)
        const maya = await join(other.key, 'maya')
        expect(maya.hello.events).toEqual(events)
        expect((await maya.say('And then?')).outcome).toBe('complete')
        expect((await runOf(server, other.key)).people.filter(({ status }) => status === 'talking')).toHaveLength(2)
      }
    },
  )

  it('[again-6] starts no run or the one run when the database fails or its answer is lost', async () => {
    const { key, stood } = await decidedRun()
    const before = await rows('SELECT id FROM contexts WHERE parent_id IS NULL')
    const asked = wish()
    for (const mode of ['down', 'lost', 'lost', 'lost', 'lost']) {
      await post(`doors/db/${mode}`)
      expect(await again(key, asked)).toMatchObject(refusal(500, 'unavailable', 'retry-after'))
    }
    await post('doors/db/up')
    const other = await begunWhole(key, asked)
    expect(await rows('SELECT id FROM contexts WHERE parent_id IS NULL')).toHaveLength(before.length + 1)
    expect(await runOf(server, other.key)).toMatchObject({ facts: stood.facts, people: stood.people })
  })
})

describe('playing again from the decision', { timeout: 120_000 }, () => {
  it('[again-11] keeps every conversation, in which the learner can ask more before they decide anew', async () => {
    const { id, key } = await decidedRun()
    const before = await runOf(server, key)
    const other = await begunAgain(key, { cid: newCid() })
    await brought(other.id)
    const view = await runOf(server, other.key)
    expect(view).toEqual({
      ...before,
      id: other.id,
      startedAt: view.startedAt,
      decision: null,
      again: { npc: null, pivot: null },
    })
    expect((await (await join(other.key, 'ines')).say('And what else is there?')).outcome).toBe('complete')
    expect((await decide(other.key, { ...DECIDES, option: 'ship-as-is' })).body.decision?.option).toBe('ship-as-is')
    expect(await runOf(server, key)).toEqual(before)
    expect(other.id).not.toBe(id)
  })
})

describe('a refused request to play again', { timeout: 120_000 }, () => {
  it('[again-7] comes before the decision, or names a fork that does not exist', async () => {
    const { key } = await startGame(server)
    expect(await again(key)).toMatchObject(refusal(409, 'undecided', 'give-up'))
    const decided = await decidedRun()
    for (const none of [wish({ npc: 'nobody' }), wish({ npc: 'otto' }), wish({ pivot: 'PIVOT_2' })])
      expect(await again(decided.key, none)).toMatchObject(refusal(404, 'unknown-moment', 'give-up'))
    for (const bad of [
      '{',
      '[]',
      {},
      { ...wish(), cid: '' },
      { ...wish(), cid: 'x'.repeat(65) },
      { npc: 1 },
      { npc: 'maya', cid: 'one' },
    ])
      expect(await askGame(server, 'api/run/again', { key: decided.key, body: bad })).toMatchObject(
        refusal(400, 'malformed', 'give-up'),
      )
    expect(await again(`${decided.key}x`)).toMatchObject(refusal(401, 'not-admitted', 'sign-in'))
  })

  it('[again-7] names a conversation that was erased', async () => {
    const { key } = await decidedRun()
    const { session } = await openTalk(server, key, 'maya')
    await rows(`DELETE FROM sessions WHERE session = '${session}'`)
    expect(await again(key)).toMatchObject(refusal(404, 'unknown-moment', 'give-up'))
  })
})
