import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { StepName } from '../../worker/steps.ts'
import { startWalk } from '../../worker/core/walk/walk.ts'
import { event, streamed } from '../support/completion-stream.ts'
import { door, putSession } from '../support/doors.ts'
import { type ModelHandler, type ModelServer, startModelServer } from '../support/model-server.ts'
import { hang, head, send } from '../support/model-steps.ts'
import { beginSession, newCid, Player } from '../support/player.ts'
import { sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { StreamWatcher } from '../support/stream-watcher.ts'
import { action, choice, decision, guarded, stateGraph, terminal } from '../support/state-graph.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

/**
 * The lease, in milliseconds, in tests that wait for its end. In all other tests, `LONG_LEASE_MS` keeps the server from
 * giving up a turn on a slow machine.
 */
const LEASE_MS = 6_000
const LONG_LEASE_MS = 60_000

let model: ModelServer
let server: WorkerServer
let answerNow: ModelHandler = () => []
const players: { leave(): void }[] = []

beforeAll(async () => {
  model = await startModelServer((request) => answerNow(request))
  server = await startWorkerServer({
    configPath: 'test/conversations/fault-worker.toml',
    vars: {
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'walkon-test',
      WALKON_MODEL_STRUCTURED: 'json_schema',
      WALKON_TURN_LEASE_MS: String(LONG_LEASE_MS),
    },
  })
})
afterEach(() => {
  for (const player of players.splice(0)) player.leave()
})
afterAll(async () => {
  await server.stop()
  await model.close()
})

/** Opens a client that reconnects whenever its connection drops. Each client has its own tab id. */
function watch(session: string): StreamWatcher {
  const watcher = new StreamWatcher(server, session, `watcher-${players.length}`, { line: { timeout: 3_000 } })
  players.push(watcher)
  return watcher
}

/** Returns the event at the end of an attempt, even if objects die before that end. */
async function endOf(session: string, attempt = 1) {
  const watcher = watch(session)
  return watcher.until(() => watcher.events.find((each) => each.type === 'turn' && each.attempt >= attempt))
}

async function join(session: string): Promise<Player> {
  const player = await Player.join(server, session)
  players.push(player)
  return player
}

/** A graph in which every turn has inner work, a reply, and inner work after the reply. */
const GRAPH = stateGraph({
  nodes: [
    action('hub', [guarded('choose')], { maxTurns: 1, selfLoop: false }),
    decision('choose', [choice('hub'), choice('end_session')]),
    terminal(),
  ],
})

function thinkingSession(): Promise<string> {
  const pinned = { engine: 'graph', seed: 0, person: 'new', learner: { kind: 'anonymous', id: 'a' }, createdAt: 0 }
  const info = { epoch: crypto.randomUUID(), scenario: sampleScenario, npc: sampleNpc.id, graph: GRAPH, ...pinned }
  return putSession(server, { info, walk: JSON.stringify(startWalk(GRAPH)), turns: [], events: [] })
}

interface Fault {
  readonly step: StepName
  readonly when: 'before' | 'after'
  readonly nth: number
  readonly fault: 'throw' | 'abort' | 'die' | 'hang' | 'full'
}

const arm = (session: string, ...faults: readonly Fault[]) =>
  server.fetch(`doors/${session}/arm`, { method: 'POST', body: JSON.stringify(faults) })
const spoil = (session: string, query: string) =>
  server.fetch(`doors/${session}/spoil`, { method: 'POST', body: query })
const look = async <T>(session: string, what: string) => (await door(server, session, what as 'walk')) as T

/** Returns a handler that answers correctly, and the list in which the handler records the requests. */
function counting(): { readonly asked: string[]; readonly handler: ModelHandler } {
  const asked: string[] = []
  const handler: ModelHandler = ({ body }) => {
    const { response_format } = body as { response_format?: { json_schema: { name: string } } }
    const kind = response_format?.json_schema.name ?? 'reply'
    asked.push(kind)
    if (kind === 'reply')
      return streamed([
        `Reply ${asked.length}, which is long enough to be sent before it has come to its end.\n---END---\n{}`,
      ])
    return streamed([JSON.stringify(body).includes('ACTIONS') ? '{"action": 0}' : '{"exit": 0}'])
  }
  return { asked, handler }
}

async function keepsReply(fault: Fault['fault']): Promise<void> {
  const { asked, handler } = counting()
  answerNow = handler
  const session = await thinkingSession()
  const player = await join(session)
  await arm(session, { step: 'ask', when: 'before', nth: 2, fault })
  expect(await player.say('Hello')).toMatchObject({
    outcome: 'complete',
    attempt: 1,
    text: expect.stringMatching(/^Reply 2/),
  })
  expect(asked.filter((kind) => kind === 'reply')).toHaveLength(1)
}

describe('a turn that is recovered', { timeout: 60_000 }, () => {
  it('[turn-4] repeats no completed model call, while a retry repeats all of them', async () => {
    const { asked, handler } = counting()
    answerNow = handler
    const session = await thinkingSession()
    const watcher = watch(session)
    await watcher.until(() => watcher.isLinked)
    const dies: Fault = { step: 'speak', when: 'before', nth: 1, fault: 'die' }
    await arm(session, dies, dies)
    await watcher.ask({ name: 'say', body: { cid: newCid(), text: 'Hello' } })
    expect(await endOf(session)).toMatchObject({ outcome: 'failed', attempt: 2 })
    expect(asked).toEqual(['selection'])
    await watcher.ask({ name: 'retry', body: { cid: newCid(), turn: 1 } })
    expect(await endOf(session, 3)).toMatchObject({ outcome: 'complete' })
    expect(asked).toEqual(['selection', 'selection', 'reply', 'selection'])
  })

  it('[turn-5] [turn-2] keeps its attempt and its shown text if the reply was complete', async () => {
    const { asked, handler } = counting()
    answerNow = handler
    const session = await thinkingSession()
    const player = await join(session)
    await arm(session, { step: 'ask', when: 'before', nth: 2, fault: 'die' })
    void player.emit('say', { cid: newCid(), text: 'Hello' }).catch(() => {})
    expect(await endOf(session)).toMatchObject({
      seq: 2,
      outcome: 'complete',
      attempt: 1,
      text: expect.stringMatching(/^Reply 2/),
    })
    expect(asked).toEqual(['selection', 'reply', 'selection'])
  })

  it.runIf(IS_LONG)('[turn-5] skips inner work during which its runner died twice, without another call', async () => {
    const { asked, handler } = counting()
    answerNow = handler
    const session = await thinkingSession()
    const player = await join(session)
    const dies: Fault = { step: 'ask', when: 'before', nth: 1, fault: 'die' }
    await arm(session, { ...dies, nth: 2 }, dies)
    void player.emit('say', { cid: newCid(), text: 'Hello' }).catch(() => {})
    expect(await endOf(session)).toMatchObject({
      outcome: 'complete',
      attempt: 1,
      text: expect.stringMatching(/^Reply 2/),
    })
    expect(asked).toEqual(['selection', 'reply'])
  })

  it('[turn-5] keeps a complete reply when the work after it throws', () => keepsReply('throw'))

  it('[turn-6] [turn-7] has at most two attempts, and the first one’s text is void before the second begins', async () => {
    answerNow = ({ body }) =>
      JSON.stringify(body).includes('json_schema')
        ? streamed(['{"action": 0}'])
        : [head(), send(event({ content: 'This is the beginning of a reply that nobody will hear the end of.' })), hang]
    const session = await thinkingSession()
    const watcher = watch(session)
    void watcher.ask({ name: 'say', body: { cid: newCid(), text: 'Hello' } })
    for (const attempt of [1, 2]) {
      // The watcher records a breach if it gets a piece of a reply without a `turn-start` before.
      await watcher.until(() => watcher.running?.attempt === attempt && watcher.running.text !== '')
      await door(server, session, 'die')
    }
    const end = await watcher.until(() => watcher.events.find(({ type }) => type === 'turn'))
    expect(end).toMatchObject({ outcome: 'failed', attempt: 2, text: expect.not.stringContaining('beginning') })
    expect(watcher.breaches).toEqual([])
    answerNow = counting().handler
    expect(await (await join(session)).say('Again')).toMatchObject({ turn: 2, outcome: 'complete' })
  })

  it('[turn-8] sends its end if that was stored but not sent', async () => {
    answerNow = counting().handler
    const session = await thinkingSession()
    const player = await join(session)
    await arm(session, { step: 'tell', when: 'before', nth: 1, fault: 'throw' })
    expect(await player.say('Hello')).toMatchObject({ outcome: 'complete' })
    expect([...new Set(player.events.map(({ seq }) => seq))]).toEqual([1, 2])
    expect((await look<{ told: number }[]>(session, 'turns')).map(({ told }) => told)).toEqual([1])
  })
})

describe('a runner that hangs', { timeout: 60_000 }, () => {
  beforeAll(() => server.redeploy({ WALKON_TURN_LEASE_MS: String(LEASE_MS) }), 180_000)
  afterAll(() => server.redeploy({ WALKON_TURN_LEASE_MS: String(LONG_LEASE_MS) }), 180_000)

  it.runIf(IS_LONG)('[turn-5] keeps a complete reply when the work after it hangs', () => keepsReply('hang'))

  it.runIf(IS_LONG)(
    '[turn-5] [message-5] lets a client that reconnects during the work after the reply see the reply',
    async () => {
      const { handler } = counting()
      answerNow = handler
      const session = await thinkingSession()
      const player = await join(session)
      await arm(session, { step: 'ask', when: 'before', nth: 2, fault: 'hang' })
      await player.emit('say', { cid: newCid(), text: 'Hello' })
      await player.until(() => (player.streamed(1).endsWith('its end.') ? true : undefined))
      const other = await join(session)
      expect(other.hello.running).toMatchObject({ turn: 1, attempt: 1, offset: 0, text: player.streamed(1) })
      expect((await other.turn(1)).text).toBe(player.streamed(1))
    },
  )

  it('[turn-9] [turn-10] is aborted by the alarm, and the next message is accepted', async () => {
    answerNow = counting().handler
    const session = await thinkingSession()
    const player = await join(session)
    await arm(session, { step: 'speak', when: 'before', nth: 1, fault: 'hang' })
    expect(await player.say('Hello')).toMatchObject({ outcome: 'failed', attempt: 1 })
    expect(await player.say('Hello again')).toMatchObject({ outcome: 'complete' })
  })

  it.runIf(IS_LONG)('[turn-9] has a lease for every answer, so a turn may take longer than one lease', async () => {
    const { asked, handler } = counting()
    answerNow = handler
    const session = await thinkingSession()
    const player = await join(session)
    answerNow = async function* (request) {
      // The turn has two model calls; the second call is for the reply. Both calls together take more than one lease,
      // and each takes much less.
      if (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, LEASE_MS * 0.55))
      yield* handler(request)
    }
    expect(await player.say('Hello')).toMatchObject({ outcome: 'complete', attempt: 1 })
  })
})

describe('a turn whose end cannot be written', { timeout: 60_000 }, () => {
  it.runIf(IS_LONG)('[turn-11] is ended as soon as writing works, without another model call', async () => {
    const { asked, handler } = counting()
    answerNow = handler
    const session = await thinkingSession()
    const player = await join(session)
    await arm(session, { step: 'apply', when: 'before', nth: 1, fault: 'full' })
    expect(await player.say('Hello')).toMatchObject({ outcome: 'complete', attempt: 1 })
    expect(asked).toEqual(['selection', 'reply', 'selection'])
  })

  it('[turn-3] [message-12] is not begun if its message cannot be written: the message is refused and leaves no rows', async () => {
    answerNow = counting().handler
    const session = await thinkingSession()
    const player = await join(session)
    await arm(session, { step: 'accept', when: 'before', nth: 1, fault: 'full' })
    const message = { cid: newCid(), text: 'Hello' }
    expect(await player.emit('say', message)).toMatchObject({ ok: false, code: 'unavailable', next: 'retry-after' })
    expect(await look<unknown[]>(session, 'turns')).toEqual([])
    let acknowledgement = await player.emit('say', message)
    while (!acknowledgement.ok) acknowledgement = await player.emit('say', message)
    expect(acknowledgement).toEqual({ ok: true, turn: 1, seq: 1 })
    expect(await player.turn(1)).toMatchObject({ outcome: 'complete' })
  })
})

describe('stored state that cannot be continued', { timeout: 60_000 }, () => {
  const poisons: [string, string][] = [
    ['a loop that is no JSON', `UPDATE turns SET loop = '{"v": 1, '`],
    ['a loop of something else', `UPDATE turns SET loop = '{"v": 1, "walk": {"v": 1}, "asked": null, "spoken": {}}'`],
    [
      'a walk that its graph does not know',
      `UPDATE turns SET loop = NULL; UPDATE session SET walk = json_set(walk, '$.node', 'nowhere')`,
    ],
  ]

  it.each(poisons)('[turn-12] such as %s ends the turn, and the conversation goes on', async (_, query) => {
    answerNow = ({ body }) => (JSON.stringify(body).includes('json_schema') ? streamed(['{"action": 0}']) : [hang])
    const session = await thinkingSession()
    const player = await join(session)
    const asked = model.requests.all.length
    await player.emit('say', { cid: newCid(), text: 'Hello' })
    while (model.requests.all.length < asked + 2) await model.requests.next()
    await spoil(session, query)
    await door(server, session, 'die')
    expect(await endOf(session)).toMatchObject({ outcome: 'failed' })
    if (query.includes('nowhere')) {
      await spoil(session, `UPDATE session SET walk = json_set(walk, '$.node', 'hub')`)
      await door(server, session, 'die')
    }
    answerNow = counting().handler
    expect((await player.say('Hello again')).outcome).toBe('complete')
  })

  it('[turn-2] [turn-4] such as a newer version’s progress makes the turn start again', async () => {
    answerNow = ({ body }) => (JSON.stringify(body).includes('json_schema') ? streamed(['{"action": 0}']) : [hang])
    const session = await thinkingSession()
    const player = await join(session)
    const asked = model.requests.all.length
    await player.emit('say', { cid: newCid(), text: 'Hello' })
    while (model.requests.all.length < asked + 2) await model.requests.next()
    await spoil(session, `UPDATE turns SET loop = '{"v": 2}'`)
    const { asked: again, handler } = counting()
    answerNow = handler
    await door(server, session, 'die')
    expect(await endOf(session, 2)).toMatchObject({ outcome: 'complete', attempt: 2 })
    expect(again).toEqual(['selection', 'reply', 'selection'])
  })
})

describe('what a turn writes', { timeout: 60_000 }, () => {
  it('[turn-16] is eight rows for a reply, plus one for each piece of inner work that another call follows', async () => {
    answerNow = () => streamed(['Hi.\n---END---\n{"node_satisfied": true}'])
    const plain = await beginSession(server)
    expect(await rowsOf(plain)).toEqual({ turns: 3, session: 1, events: 2, inbox: 1, records: 1 })
    answerNow = counting().handler
    const thinking = await thinkingSession()
    expect(await rowsOf(thinking)).toEqual({ turns: 5, session: 1, events: 2, inbox: 1, records: 1 })
  })

  it('[version-24] takes at most 30,000 bytes before it, and some pages more after it', async () => {
    answerNow = () => streamed(['Hi. It bluffs now and then.\n---END---\n{"node_satisfied": true}'])
    const bytesOf = async (of: string) => (await look<{ bytes: number }>(of, 'costs')).bytes
    const session = await beginSession(server)
    const fresh = await bytesOf(session)
    expect(fresh).toBeGreaterThan(4_096)
    expect(fresh).toBeLessThanOrEqual(30_000)
    const player = await join(session)
    await player.say('What did run 47 show?')
    const turned = await bytesOf(session)
    expect(turned).toBeLessThanOrEqual(60_000)
    await player.say('And what was the cost?')
    expect((await bytesOf(session)) - turned).toBeLessThanOrEqual(20_000)
  })

  /** Returns the number of rows that one turn writes, by table, without the budget's and the chain's tables. */
  async function rowsOf(session: string): Promise<Record<string, number>> {
    const player = await join(session)
    await look(session, 'written')
    await player.say('Hello')
    const rows = await look<{ table: string; rows: number }[]>(session, 'written')
    const sums: Record<string, number> = {}
    for (const { table, rows: count } of rows)
      if (!['spending', 'chain_events', 'chain_cursor'].includes(table)) sums[table] = (sums[table] ?? 0) + count
    return sums
  }

  it('[turn-14] includes the page sent with the message, for every attempt', async () => {
    answerNow = () => [hang]
    const session = await beginSession(server)
    const player = await join(session)
    const asked = model.requests.all.length
    await player.emit('say', { cid: newCid(), text: 'Hello', page: 'The page about herons' })
    while (model.requests.all.length < asked + 1) await model.requests.next()
    await door(server, session, 'die')
    while (model.requests.all.length < asked + 2) await model.requests.next()
    for (const { body } of model.requests.all.slice(asked))
      expect(JSON.stringify(body)).toContain('The page about herons')
    await player.emit('cancel', { turn: 1 })
  })
})
