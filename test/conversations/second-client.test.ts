import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import { event } from '../support/completion-stream.ts'
import { type ModelHandler, type ModelServer, startModelServer } from '../support/model-server.ts'
import { close, head, send, wait } from '../support/model-steps.ts'
import { beginSession, PlainClient } from '../support/plain-client.ts'
import type { Answer } from '../support/plain-client.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

/** The clients in this file use only the documented protocol and share no code with the server or the widget. */

const GREETING = "Hi, what's going on?"

let server: WorkerServer
const clients: PlainClient[] = []

beforeAll(async () => {
  server = await startWorkerServer({ configPath: 'wrangler.toml', vars: { WALKON_REHEARSAL_PACE_MS: '0' } })
})
afterEach(async () => {
  for (const client of clients.splice(0)) if (client.ended === undefined) await client.drop()
})
afterAll(() => server.stop())

async function join(session?: string, beatMs?: number): Promise<PlainClient> {
  const client = new PlainClient(server.url, session ?? (await beginSession(server.url, { npc: 'maya' })), beatMs)
  clients.push(client)
  await client.open()
  return client
}

/** Waits for the end of an acknowledged turn and returns the text of the reply. */
async function hold(client: PlainClient, answer: Answer): Promise<string> {
  if (!answer.ok) throw new Error(answer.code)
  const ended = () => client.of('turn').find(({ turn }) => turn === answer.turn)
  await client.until(() => ended() !== undefined)
  expect(ended()).toMatchObject({ outcome: 'complete' })
  return String(ended()?.['text'])
}

/** The fields of each event in the tables of the protocol's document, in alphabetical order. */
const FIELDS: Record<string, string[]> = {
  opening: 'at seq text turn type'.split(' '),
  'turn-start': 'at attempt cid seq text turn type'.split(' '),
  turn: 'at attempt level outcome seq text turn type'.split(' '),
  command: 'at command id seq turn type'.split(' '),
  'pivot-end': 'at choice level pivot seq turn type'.split(' '),
}
/**
 * An event has the field `gained` only if the learner gained something in the exchange, such as a fact ([message-31]).
 */
const GAINED = 'gained'
const COMMAND_FIELDS: Record<string, string[]> = {
  AI_PivotMoment: 'choices name pivot question'.split(' '),
  AI_AdvanceObjective: 'name objective title'.split(' '),
  AI_EndConversation: 'completion document name next'.split(' '),
}
const fieldsOf = (value: unknown) => Object.keys(value as object).toSorted()

const ids = (client: PlainClient) => client.of('command').map(({ id }) => id)

describe('a client written from the document alone', { timeout: 60_000 }, () => {
  it('[message-4] [message-6] [message-9] [message-13] [message-14] [message-20] [message-21] plays the worked example to its end', async () => {
    const client = await join()
    expect(client.hello).toMatchObject({ mode: 'snapshot', events: [{ seq: 1, type: 'opening' }], running: null })

    for (const { learner, node, choose } of path.turns) {
      await hold(client, await client.say(learner))
      if (choose === undefined) continue
      await client.until(() => ids(client).includes(`AI_PivotMoment:${node}`))
      expect(await client.choose(node, choose.choice)).toMatchObject({ ok: true })
      await client.until(() => client.of('pivot-end').at(-1)?.['pivot'] === node)
    }

    await client.until(() => client.of('command').length === 4)
    const commands = client.of('command').map(({ command }) => command)
    expect(commands.map((command) => (command as { name: string }).name)).toEqual([
      'AI_PivotMoment',
      'AI_AdvanceObjective',
      'AI_PivotMoment',
      'AI_EndConversation',
    ])
    expect(commands.at(-1)).toMatchObject({
      completion: 'earned',
      document: { lines: expect.any(Array) },
      next: { id: 'marcus' },
    })
    expect(client.entries.map(({ seq }) => seq)).toEqual(client.entries.map((_, index) => index + 1))
    for (const entry of client.entries)
      expect(fieldsOf(entry).filter((field) => field !== GAINED)).toEqual(FIELDS[entry.type])
    expect(client.entries.some((entry) => GAINED in entry)).toBe(true)
    for (const command of commands)
      expect(fieldsOf(command)).toEqual(COMMAND_FIELDS[(command as { name: string }).name])
    expect(fieldsOf(client.hello)).toEqual('conversation epoch events head level mode running v'.split(' '))
    expect(JSON.stringify(client.entries)).not.toContain('END---')
    expect(await client.choose('PIVOT_1', 'a')).toMatchObject({ ok: false, next: 'give-up', code: 'ended' })
  })

  it('[message-11] [message-12] has the same message stored once, also over another socket', async () => {
    const client = await join()
    const first = await client.say(GREETING, 'the-same')
    await hold(client, first)
    await client.drop()
    await client.open()
    expect(await client.say(GREETING, 'the-same')).toEqual(first)
    expect(client.of('turn-start')).toHaveLength(1)
  })

  it('[message-16] requests an event that it lost', async () => {
    const client = await join()
    await hold(client, await client.say(GREETING))
    const lost = client.entries.pop()
    client.sync()
    await client.until(() => client.entries.at(-1)?.type === 'turn')
    expect(client.entries.at(-1)).toEqual(lost)
    expect(client.hello).toMatchObject({ mode: 'resume', events: [lost] })
  })

  it('[message-23] receives the acknowledgement first, then its events, and the end of a reply last', async () => {
    const client = await join()
    await hold(client, await client.say(GREETING))
    const kinds = client.frames.slice(client.frames.findIndex((frame) => frame.startsWith('43')))
    expect(kinds[1]).toContain('"turn-start"')
    expect(kinds.slice(2, -1).length).toBeGreaterThan(0)
    expect(kinds.slice(2, -1).every((frame) => frame.startsWith('42["delta"'))).toBe(true)
    expect(kinds.at(-1)).toContain('"type":"turn"')
  })

  it('[protocol-20] gets its heartbeats answered', async () => {
    const client = await join(undefined, 20)
    await client.until(() => client.beats >= 3)
    await hold(client, await client.say(GREETING))
  })
})

describe('a running conversation', { timeout: 60_000 }, () => {
  it.runIf(IS_LONG)('[message-19] uses the scenario to which it is pinned, not the deployed one', async () => {
    const session = await beginSession(server.url, { npc: 'maya' })
    const object = { className: 'ConversationObject', id: session }
    // Pins the conversation to a scenario with another text. The pinned and the deployed scenario now differ, as after
    // a deployment with a different text.
    const [row] = (await server.sql(object, 'SELECT info FROM session')) as { info: string }[]
    const { scenario: deployed } = (JSON.parse(row?.info ?? '') as { pins: { scenario: string } }).pins
    const database = await server.database()
    const stored = 'SELECT tenant, body FROM scenario_bodies WHERE hash = ?1'
    const [content] = (await database.prepare(stored).bind(deployed).all<{ tenant: string; body: string }>()).results
    const { tenant = '', body = '' } = content ?? {}
    const other = body.replace('a tidy, confident paragraph', 'a loud, confident paragraph')
    const hash = createHash('sha256').update(other).digest('hex')
    const insert = 'INSERT INTO scenario_bodies (tenant, hash, body) VALUES (?1, ?2, ?3)'
    await database.prepare(insert).bind(tenant, hash, other).all()
    await server.sql(object, 'UPDATE session SET info = replace(info, ?, ?)', deployed, hash)
    await server.evict(object)
    const client = await join(session)
    expect(await hold(client, await client.say(GREETING))).toContain('a loud, confident paragraph')
  })
})

describe('a refusal', { timeout: 60_000 }, () => {
  it('[protocol-8] [message-2] of a made-up session is final, and a new session can be begun', async () => {
    const client = await join('0123456789abcdef'.repeat(4))
    expect(client.refused).toMatchObject({ data: { ok: false, next: 'sign-in', code: 'not-admitted' } })
    await client.until(() => client.ended !== undefined)
    expect(client.ended).toEqual({ code: 1008, reason: 'refused' })
    const next = await join()
    await hold(next, await next.say(GREETING))
  })

  it.each([
    ['[protocol-18] a binary frame', new Uint8Array([1, 2, 3]), 1003, 'binary'],
    ['[protocol-19] a frame that is no packet', 'hello there', 1002, 'malformed: engine packet'],
    ['[protocol-19] a packet that is not JSON', '42[say, hello]', 1002, 'malformed: payload'],
    [
      '[protocol-17] follows a frame of 100 kB',
      `42${JSON.stringify(['say', { cid: 'c', text: 'x'.repeat(100_000) }])}`,
      1009,
      'too-large',
    ],
  ])('%s, and the conversation goes on', async (_, frame, code, reason) => {
    const client = await join()
    await hold(client, await client.say(GREETING))
    client.frame(frame)
    await client.until(() => client.ended !== undefined)
    expect(client.ended).toEqual({ code, reason })
    await client.open()
    expect(client.hello).toMatchObject({ mode: 'resume', events: [] })
    expect(await client.say('So what did run 47 show?')).toMatchObject({ ok: true, turn: 2, seq: 4 })
    await client.until(() => client.entries.length === 4)
  })

  it('[message-12] [message-14] [message-15] of an impossible request has a code and a next step', async () => {
    const client = await join()
    expect(await client.say('')).toMatchObject({ ok: false, next: 'give-up', code: 'empty' })
    expect(await client.choose('PIVOT_1', 'a')).toMatchObject({ ok: false, next: 'give-up', code: 'unknown-choice' })
    expect(await client.retry(1)).toMatchObject({ ok: false, next: 'give-up', code: 'nothing-to-retry' })
    await hold(client, await client.say(GREETING))
  })
})

describe('an interruption during a reply', { timeout: 120_000 }, () => {
  let model: ModelServer
  let answerNow: ModelHandler = () => []
  beforeAll(async () => {
    model = await startModelServer((request) => answerNow(request))
  })
  afterAll(() => model.close())

  it('[message-4] [message-5] [message-7] [message-22] by a closed socket: the client resumes and has exactly the stored reply', async () => {
    const goOn = Promise.withResolvers<void>()
    // The reply goes on until `goOn` resolves, however long the client takes to reconnect.
    answerNow = function* () {
      yield head()
      yield send(event({ content: 'I run the testing here, and this is only the first half of what I have to say. ' }))
      yield wait(goOn.promise)
      yield send(event({ content: 'And that was the other half.\n---END---\n{"node_satisfied": true}' }))
      yield send(`${event({}, 'stop')}data: [DONE]\n\n`)
      yield close
    }
    await server.redeploy({ OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'walkon-test' })
    const client = await join()
    const answer = await client.say(GREETING)
    await client.until(() => client.running !== null)
    await client.drop()
    const heard = String(client.running?.text)
    const from = client.frames.length
    await client.open()
    expect(client.hello).toMatchObject({ mode: 'resume', running: { turn: 1, attempt: 1, offset: heard.length } })
    goOn.resolve()
    const said = await hold(client, answer)
    expect(said.startsWith(heard)).toBe(true)
    const pieces = [client.hello?.running, ...deltasIn(client.frames.slice(from))]
    expect(pieces.reduce((text, piece) => text.slice(0, piece?.offset) + piece?.text, heard)).toBe(said)
  })

  /**
   * Returns the deltas among the frames. The last delta may arrive together with the reply's end, so the client's state
   * never shows that delta in a running reply.
   */
  const deltasIn = (frames: readonly string[]) =>
    frames
      .filter((frame) => frame.startsWith('42["delta"'))
      .map((frame) => (JSON.parse(frame.slice(2)) as [string, { offset: number; text: string }])[1])

  it.runIf(IS_LONG)(
    '[message-15] [message-17] [protocol-23] [model-9] by a failure: a retry completes the reply, across a redeploy',
    async () => {
      const client = await join()
      const nobody = {
        OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
        OPENAI_MODEL: 'nobody',
        OPENAI_API_KEY: 'not-to-be-seen',
      }
      await server.redeploy(nobody)
      await client.until(() => client.ended !== undefined)
      expect(client.ended?.code).toBe(1006)
      await client.open()
      expect(await client.say(GREETING)).toMatchObject({ ok: true, turn: 1 })
      await client.until(() => client.of('turn').length === 1)
      expect(client.of('turn')).toMatchObject([{ attempt: 1, outcome: 'failed', text: expect.any(String) }])

      await expect.poll(() => server.logs().join('\n')).toContain('"failure":')
      expect(server.logs().join('\n')).not.toMatch(/127\.0\.0\.1:1|not-to-be-seen/)

      await server.redeploy({ OPENAI_BASE_URL: '', OPENAI_MODEL: '', OPENAI_API_KEY: '' })
      await client.until(() => client.ended !== undefined)
      await client.open()
      expect(await client.retry(1)).toMatchObject({ ok: true, turn: 1 })
      await client.until(() => client.of('turn').length === 2)
      expect(client.of('turn').at(-1)).toMatchObject({ turn: 1, attempt: 2, outcome: 'complete' })
      expect(client.of('turn-start')).toMatchObject([{ attempt: 1 }, { attempt: 2, text: GREETING }])
    },
  )
})
