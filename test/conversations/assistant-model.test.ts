import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConversationState } from '../../worker/core/assistant/conversation-state.ts'
import type { ToldTurns } from '../../worker/session/assistant/assistant-record.ts'
import type { LogEvent, PageView } from '../../worker/wire/messages.ts'
import { AgentsModel, spoken } from '../support/agents-model.ts'
import { streamed } from '../support/completion-stream.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { answer, wait } from '../support/model-steps.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

const SECRET = 'p4Qm8sLx2VtR6yWn1ZcB9dKf3HgJ5aUe'
const HASH = '00000000000000aa'
const TEXT = 'The bridge has seven arches. Nobody paid for it.'
const PAGE: PageView = {
  editor: { filename: 'bridge.md', content: TEXT },
  results: { web: [{ title: 'Bridges', url: 'https://bridges.example', text: 'A bridge carries a road.' }] },
  tools: ['web_search'],
}

let server: WorkerServer
let upstream: ModelServer
const model = new AgentsModel()
let player: Player
let session: string

beforeAll(async () => {
  upstream = await startModelServer((request) => model.answer(request))
  server = await startWorkerServer({
    configPath: 'wrangler.toml',
    vars: {
      OPENAI_BASE_URL: upstream.url,
      OPENAI_MODEL: 'walkon-test',
      WALKON_ADMIN_SECRET: SECRET,
      WALKON_TURNS_MINUTE: '6000',
    },
    rateLimits: { LIMIT_ADMIN: 10_000, LIMIT_SESSIONS: 10_000 },
  })
})
afterAll(async () => {
  await server.stop()
  await upstream.close()
})
beforeEach(async () => {
  model.reset()
  session = await openSession(server, { scenario: 'page-assistant' })
  player = await Player.join(server, session)
  await player.emit('page', { hash: HASH, page: PAGE })
})
afterEach(() => player.leave())

async function begin(text: string): Promise<number> {
  const taken = await player.emit('say', { cid: newCid(), text, context: HASH })
  if (!taken.ok) throw new Error(taken.code)
  return taken.turn
}
const ask = async (text: string) => player.turn(await begin(text))

async function admin<T>(path: string): Promise<T> {
  const answered = await server.fetch(`api/admin/sessions/${session}/${path}`, {
    headers: { Authorization: `Bearer ${SECRET}` },
  })
  return (await answered.json()) as T
}
const told = async (turn: number) => (await admin<ToldTurns>(`told?turn=${turn}`)).told
const state = () => admin<ConversationState>('state')

type Of<T extends LogEvent['type']> = Extract<LogEvent, { type: T }>
const first = <T extends LogEvent['type']>(type: T, from = 0) =>
  player.until(() => player.events.find((event): event is Of<T> => event.type === type && event.seq > from))

/** Resolves when the model has been asked something, and keeps it waiting until `go` is called. */
function holdModel(): { readonly asked: Promise<unknown>; readonly go: () => void } {
  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  model.until = held.promise
  model.misbehave = () => {
    asked.resolve()
    return null
  }
  return { asked: asked.promise, go: held.resolve }
}

describe('what was sent to a model', { timeout: 30_000 }, () => {
  it('[assistant-20] is kept step by step, and is what the prompts say', async () => {
    model.reset({
      classified: () => '{"agent": "research"}',
      tool: () => '{"tool": "web_search", "input": "bridges"}',
    })
    const turn = await begin('What is a bridge?')
    const asked = await first('permission')
    await player.emit('permit', { id: asked.id, answer: 'once' })
    const { call } = await first('tool-call')
    await player.emit('tool', { call, claim: true })
    model.reset()
    await player.emit('tool', { call, ok: true, text: 'A bridge spans a river.' })
    await player.turn(turn)

    const steps = await told(turn)
    expect(steps.map(({ step, agent, by }) => [step, agent, by])).toEqual([
      ['classifier', null, 'classifier'],
      ['tool', 'research', 'classifier'],
      ['tool', 'research', 'classifier'],
      ['reply', 'research', 'classifier'],
    ])
    expect(Object.keys(steps[0]?.told ?? {})).toEqual(['current_query', 'active_agent'])
    const reply = model.asked.find((each) => each.for === 'reply')
    expect(reply?.user).toContain('A bridge spans a river.')
    expect(reply?.user).toContain('https://bridges.example')
    expect(reply?.user).not.toContain('seven arches')
    const last = steps.at(-1)
    expect(last?.told.messages?.map(({ role }) => role)).toEqual(['call', 'result'])
    for (const { title, url, text } of last?.told.shared_memory?.search_results?.web ?? [])
      for (const part of [title, url, text]) expect(reply?.user).toContain(part)
    expect(last?.told.shared_memory).not.toHaveProperty('active_editor')
  })

  it('[assistant-20] is kept too if the turn is stopped or fails', async () => {
    const held = holdModel()
    const stopped = await begin('@chat How many arches?')
    await held.asked
    expect(await player.emit('cancel', { turn: stopped })).toMatchObject({ ok: true })
    held.go()
    expect((await told(stopped)).map(({ step, agent }) => [step, agent])).toEqual([['reply', 'chat']])

    model.reset()
    model.misbehave = () => answer(500, {}, '{}')
    expect(await ask('@chat And now?')).toMatchObject({
      outcome: 'failed',
      text: expect.stringMatching(/^(I could not finish|Something went wrong)/),
    })
    expect((await told(2)).map(({ step, agent }) => [step, agent])).toEqual([['reply', 'chat']])
    expect(await state()).toMatchObject({ error_state: 'failed', is_complete: false, requires_user_input: true })
    model.reset()
    expect(await player.emit('retry', { cid: newCid(), turn: 2 })).toMatchObject({ ok: true })
    await player.turn(2, 2)
    expect((await told(2)).map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(await state()).toMatchObject({ error_state: null, is_complete: true, active_agent_checkpoint: 'ANSWER' })
  })

  it('[assistant-20] [assistant-14] is what was sent, not what is so afterwards: a lock during a reply stays and changes no row', async () => {
    const held = holdModel()
    model.answers = { ...model.answers, classified: () => '{"agent": "chat"}' }
    const turn = await begin('How many arches?')
    await held.asked
    // While the classifier is asked.
    expect(await player.emit('lock', { agent: 'edit' })).toMatchObject({ ok: true })
    held.go()
    expect((await player.turn(turn)).agent).toBe('chat')
    expect((await state()).shared_memory.locked_agent).toBe('edit')
    expect((await ask('And now?')).agent).toBe('edit')

    const again = holdModel()
    const second = await begin('@chat And these?')
    await again.asked
    const before = await told(second)
    expect(before.at(-1)?.told.shared_memory?.locked_agent).toBe('edit')
    await player.emit('lock', { agent: null })
    again.go()
    await player.turn(second)
    expect(await told(second)).toEqual(before)
    expect((await state()).shared_memory).not.toHaveProperty('locked_agent')
  })

  it('[assistant-13] holds the page of the message, also if other tabs have sent their own pages meanwhile', async () => {
    model.reset({ tool: () => '{"tool": "web_search", "input": "bridges"}' })
    const turn = await begin('@research What is a bridge?')
    const asked = await first('permission')
    for (let n = 1; n <= 6; n += 1)
      await player.emit('page', { hash: n.toString(16).padStart(16, '0'), page: { text: `Page ${n}` } })
    model.reset()
    await player.emit('permit', { id: asked.id, answer: 'deny' })
    await player.turn(turn)
    expect((await told(turn)).at(-1)?.told.shared_memory?.search_results?.web).toHaveLength(1)
  })
})

describe('a model that is slow', { timeout: 30_000 }, () => {
  it.runIf(IS_LONG)('[assistant-12] is waited for as long as each of its answers comes in time', async () => {
    const slow = await startWorkerServer({
      configPath: 'wrangler.toml',
      vars: { OPENAI_BASE_URL: upstream.url, OPENAI_MODEL: 'walkon-test', WALKON_TURN_LEASE_MS: '1000' },
    })
    const other = await Player.join(slow, await openSession(slow, { scenario: 'page-assistant' }))
    try {
      await other.emit('page', { hash: HASH, page: PAGE })
      // The classifier, a tool and the reply together take longer than the turn may take without a sign of life.
      model.reset({ classified: () => '{"agent": "research"}' })
      model.misbehave = (asked) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        setTimeout(resolve, 700)
        return [wait(promise), ...streamed([model.answers[asked.for](asked)])]
      }
      const taken = await other.emit('say', { cid: newCid(), text: 'What is a bridge?', context: HASH })
      if (!taken.ok) throw new Error(taken.code)
      expect(await other.turn(taken.turn)).toMatchObject({ outcome: 'complete', attempt: 1, agent: 'research' })
      expect(model.asked.map((asked) => asked.for)).toEqual(['classified', 'tool', 'reply'])
    } finally {
      other.leave()
      await slow.stop()
    }
  })
})

describe('an assistant with a model', { timeout: 30_000 }, () => {
  it('[assistant-1] is routed by the model, by the listener if the model does not say, and a hand-over counts for one message', async () => {
    model.reset({
      classified: () => '{"agent": "edit"}',
      reply: () => spoken('That is for research.', { hand_over: 'research' }),
    })
    expect((await ask('What would you change?')).agent).toBe('edit')
    expect(await state()).toMatchObject({
      intent_classification: { agent: 'edit', confidence: 1, by: 'model' },
      shared_memory: { agent_handoffs: [{ from: 'edit', to: 'research', why: 'What would you change?' }] },
    })
    model.reset()
    expect((await ask('Yes, please.')).agent).toBe('research')
    const [asked] = model.asked
    expect([asked?.for, asked?.user]).toEqual(['classified', expect.stringContaining('research')])
    expect((await ask('Hm.')).agent).toBe('chat')
    // To itself, or to nobody that it knows, it hands nothing over.
    for (const to of ['chat', 'nobody']) {
      model.reset({ reply: () => spoken('Well.', { hand_over: to }) })
      await ask('@chat Well?')
    }
    expect((await state()).shared_memory.agent_handoffs).toHaveLength(1)
    model.reset({ classified: () => 'research, I think' })
    expect((await ask('Please proofread it.')).agent).toBe('edit')
    expect((await state()).intent_classification).toMatchObject({ agent: 'edit', by: 'listener' })
  })

  it('[assistant-12] proposes insertions, replacements and deletions where the text has its quotes, and none elsewhere', async () => {
    model.reset({
      reply: () =>
        spoken('Three changes.', {
          topics: ['bridge'],
          edits: [
            { op: 'insert', quote: 'seven arches.', text: ' It is old.', why: 'age' },
            { op: 'replace', quote: 'Nobody', text: 'No one', why: 'style' },
            { op: 'delete', quote: ' for it', text: '', why: 'short' },
            { op: 'replace', quote: 'nine arches', text: 'x', why: 'not there' },
            { op: 'delete', quote: 'e', text: '', why: 'more than once' },
          ],
        }),
    })
    await ask('@edit Please.')
    const { operations } = await first('edits')
    expect(operations.map(({ op, expected, text }) => [op, expected, text])).toEqual([
      ['insert', '', ' It is old.'],
      ['replace', 'Nobody', 'No one'],
      ['delete', ' for it', ''],
    ])
    let text = TEXT
    for (const { start, expected, text: next } of operations.toReversed())
      text = text.slice(0, start) + next + text.slice(start + expected.length)
    expect(text).toBe('The bridge has seven arches. It is old. No one paid.')
    // Only the editing agent is told the text, and only the text of the page.
    model.reset({ reply: () => spoken('Done.', { edits: [{ op: 'delete', quote: 'Nobody', text: '', why: '' }] }) })
    await ask('@research Please.')
    expect(player.events.filter(({ type }) => type === 'edits')).toHaveLength(1)
  })

  it('[assistant-18] shows that a question is over if the person stops the turn', async () => {
    model.reset({ tool: () => '{"tool": "web_search", "input": "bridges"}' })
    const turn = await begin('@research What is a bridge?')
    const asked = await first('permission')
    expect(await state()).toMatchObject({
      requires_user_input: true,
      is_complete: false,
      pending_operations: [
        { id: '1.0', type: 'web_search', summary: 'bridges', permission_required: true, status: 'pending' },
      ],
      pending_permission_requests: [{ id: asked.id }],
    })
    await player.emit('cancel', { turn })
    expect(await first('permission-end')).toMatchObject({ id: asked.id, answer: 'stopped' })
    expect(await state()).toMatchObject({ pending_operations: [], pending_permission_requests: [] })
  })
})
