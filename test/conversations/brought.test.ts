import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { streamed } from '../support/completion-stream.ts'
import { door } from '../support/doors.ts'
import { openTalk, startGame } from '../support/game-client.ts'
import { type ModelHandler, type ModelServer, startModelServer } from '../support/model-server.ts'
import { answer, hang } from '../support/model-steps.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { IS_LONG, variants } from '../support/runs.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

const HEADING = 'WHAT THEY BRING (from the others; build on it, its figures are not yours to state):'
const RATE = 'They heard from Maya: Medical answers are wrong 23.4% of the time, nearly one in four.'
const CEILING =
  'They heard from Maya: The contract allows 2.0% errors on regulated advice, and medical advice is regulated.'
const POLL = { timeout: 60_000, interval: 20 }

let model: ModelServer
let server: WorkerServer
let answerNow: ModelHandler
const players: Player[] = []

const says =
  (text: string): ModelHandler =>
  () =>
    streamed([`${text}\n---END---\n{"node_satisfied": false}`])

beforeAll(async () => {
  model = await startModelServer((request) => answerNow(request))
  server = await startWorkerServer({
    configPath: 'test/conversations/fault-worker.toml',
    vars: { OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'walkon-test' },
  })
})
beforeEach(() => {
  answerNow = says('Hm.')
})
afterEach(async () => {
  for (const player of players.splice(0)) player.leave()
  await server.fetch('doors/db/up', { method: 'POST' })
})
afterAll(async () => {
  await server.stop()
  await model.close()
})

async function join(session: string): Promise<Player> {
  const player = await Player.join(server, session)
  players.push(player)
  return player
}

const talkIn = async (key: string, npc: string) => (await openTalk(server, key, npc)).session

/**
 * Makes a colleague say a text to the learner. Resolves when no event of this conversation is waiting for the chain.
 */
async function hear(session: string, text: string): Promise<void> {
  answerNow = says(text)
  const player = await join(session)
  await player.say('Go on.')
  player.leave()
  answerNow = says('Hm.')
  await vi.waitFor(async () => {
    expect(await (await server.fetch(`doors/${session}/queue`)).json()).toMatchObject({ waiting: 0 })
  }, POLL)
}

const promptsSince = (from: number) =>
  model.requests.all.slice(from).map(({ body }) => {
    const { messages } = body as { messages: { role: string; content: string }[] }
    const of = (role: string) => messages.find((message) => message.role === role)?.content ?? ''
    return { system: of('system'), user: of('user') }
  })

/** Returns the lines under `HEADING` in a prompt; null if the prompt does not have this heading. */
function broughtIn(user: string | undefined): readonly string[] | null {
  const [, after] = user?.split(`\n\n${HEADING}\n- `) ?? []
  return after?.split('\n\n')[0]?.split('\n- ') ?? null
}

/** Sends a message, and returns the prompts that the server sent to the model for the reply. */
async function promptsOf(session: string, text = 'Hello.') {
  const from = model.requests.all.length
  const player = await join(session)
  const turn = await player.say(text)
  player.leave()
  return { turn, prompts: promptsSince(from), brought: broughtIn(promptsSince(from)[0]?.user) }
}

const toldIn = async (session: string) => {
  const { past, current } = await door(server, session, 'interactionLog')
  return [...past, current].flatMap(({ entries }) => entries.flatMap((each) => (each.kind === 'brought' ? [each] : [])))
}

describe('the second colleague of a run', { timeout: 120_000 }, () => {
  it('[briefing-12] [briefing-13] is told what the learner heard from the first, and the log says what it was', async () => {
    const { key } = await startGame(server)
    const [maya, ines] = [await talkIn(key, 'maya'), await talkIn(key, 'ines')]
    const from = model.requests.all.length
    await hear(maya, 'Medical advice fails at 23.4%.')
    expect(broughtIn(promptsSince(from)[0]?.user)).toBeNull()
    const first = await promptsOf(ines)
    expect(first.brought).toEqual(['They talked with Maya Patel.', RATE])
    await hear(maya, 'And the contract allows 2.0%.')
    const second = await promptsOf(ines)
    expect(second.brought).toEqual(['They talked with Maya Patel.', RATE, CEILING])
    expect(second.prompts[0]?.system).toBe(first.prompts[0]?.system)
    expect((await toldIn(ines)).map(({ turn, brought }) => [turn, brought.talked, brought.facts])).toEqual([
      ['1', ['maya'], ['medical-rate']],
      ['2', ['maya'], ['medical-rate', 'ceiling']],
    ])
    expect((await toldIn(maya)).map(({ turn, brought }) => [turn, brought.talked, brought.facts])).toEqual([
      ['2', ['ines'], []],
    ])
    expect((await promptsOf(maya)).brought).toEqual(['They talked with Ines Okafor.'])
  })

  it('[briefing-13] is told the same again when a turn is repeated', async () => {
    const { key } = await startGame(server)
    const [maya, ines] = [await talkIn(key, 'maya'), await talkIn(key, 'ines')]
    await hear(maya, 'Medical advice fails at 23.4%.')
    const from = model.requests.all.length
    answerNow = () => answer(400, {}, '{}')
    const player = await join(ines)
    expect(await player.say('Hello.')).toMatchObject({ outcome: 'failed' })
    await hear(maya, 'And the contract allows 2.0%.')
    answerNow = () => [hang]
    const before = model.requests.all.length
    expect(await player.emit('retry', { cid: newCid(), turn: 1 })).toMatchObject({ ok: true })
    await vi.waitFor(() => expect(model.requests.all.length).toBe(before + 1), POLL)
    answerNow = says('Hm.')
    const prompts = [promptsSince(from)[0], promptsSince(before)[0]]
    expect(prompts.map((prompt) => broughtIn(prompt?.user))).toEqual([
      ['They talked with Maya Patel.', RATE],
      ['They talked with Maya Patel.', RATE],
    ])
    expect(prompts[1]).toEqual(prompts[0])
    await player.emit('cancel', { turn: 1 })
    expect((await promptsOf(ines)).brought).toContain(CEILING)
  })

  it('[briefing-13] is told the same again when the object has died in the middle of a turn', async () => {
    const { key } = await startGame(server)
    const [maya, ines] = [await talkIn(key, 'maya'), await talkIn(key, 'ines')]
    await hear(maya, 'Medical advice fails at 23.4%.')
    answerNow = () => [hang]
    const player = await join(ines)
    const from = model.requests.all.length
    await player.emit('say', { cid: newCid(), text: 'Hello.' })
    await vi.waitFor(() => expect(model.requests.all.length).toBe(from + 1), POLL)
    await hear(maya, 'And the contract allows 2.0%.')
    const before = model.requests.all.length
    await door(server, ines, 'die')
    await vi.waitFor(() => expect(model.requests.all.length).toBe(before + 1), POLL)
    expect(promptsSince(before)[0]).toEqual(promptsSince(from)[0])
    expect(broughtIn(promptsSince(before)[0]?.user)).toEqual(['They talked with Maya Patel.', RATE])
  })

  it('[briefing-13] [turn-16] costs one row more in a turn to which something is brought, and none in another', async () => {
    const { key } = await startGame(server)
    const [maya, ines] = [await talkIn(key, 'maya'), await talkIn(key, 'ines')]
    const rowsOf = async (session: string) => {
      const player = await join(session)
      await server.fetch(`doors/${session}/written`)
      await player.say('Hello.')
      const written = (await (await server.fetch(`doors/${session}/written`)).json()) as {
        table: string
        rows: number
      }[]
      return written.reduce((sum, { table, rows }) => sum + (table === 'turns' ? rows : 0), 0)
    }
    expect(await rowsOf(maya)).toBe(3)
    await hear(maya, 'Medical advice fails at 23.4%.')
    expect(await rowsOf(ines)).toBe(4)
  })

  it('[briefing-12] is told so by the count-based engine as well', async () => {
    const { key } = await startGame(server)
    await hear(await talkIn(key, 'maya'), 'Medical advice fails at 23.4%.')
    const ines = await openSession(server, { scenario: 'launch-decision', npc: 'ines', engine: 'legacy', run: key })
    expect((await door(server, ines, 'walk')).engine).toBe('legacy')
    expect((await promptsOf(ines)).brought).toEqual(['They talked with Maya Patel.', RATE])
  })

  it.each(variants(['down', 'silent']))('[briefing-13] answers without it when the database is %s', async (mode) => {
    const { key } = await startGame(server)
    const [maya, ines] = [await talkIn(key, 'maya'), await talkIn(key, 'ines')]
    await hear(maya, 'Medical advice fails at 23.4%.')
    await server.fetch(`doors/db/${mode}`, { method: 'POST' })
    onTestFinished(async () => void (await server.fetch('doors/db/up', { method: 'POST' })))
    const { turn, brought } = await promptsOf(ines)
    expect(turn.outcome).toBe('complete')
    expect(brought).toBeNull()
    expect(await toldIn(ines)).toEqual([])
    const lines = () => server.logs().filter((line) => line.includes('chain-not-brought') && line.includes(ines))
    await expect.poll(lines, POLL).toHaveLength(1)
    expect(lines().join()).not.toMatch(/Medical|Maya/)
  })

  it.runIf(IS_LONG)(
    '[briefing-13] asks no model if the learner stops the turn while the database is silent',
    async () => {
      const { key } = await startGame(server)
      const [maya, ines] = [await talkIn(key, 'maya'), await talkIn(key, 'ines')]
      await hear(maya, 'Medical advice fails at 23.4%.')
      await server.fetch('doors/db/silent', { method: 'POST' })
      onTestFinished(async () => void (await server.fetch('doors/db/up', { method: 'POST' })))
      const from = model.requests.all.length
      const player = await join(ines)
      await player.emit('say', { cid: newCid(), text: 'Hello.' })
      expect(await player.emit('cancel', { turn: 1 })).toMatchObject({ ok: true })
      const lines = () => server.logs().filter((line) => line.includes('chain-not-brought') && line.includes(ines))
      await expect.poll(lines, POLL).toHaveLength(1)
      await server.fetch('doors/db/up', { method: 'POST' })
      expect((await promptsOf(ines)).brought).toEqual(['They talked with Maya Patel.', RATE])
      expect(promptsSince(from)).toHaveLength(1)
    },
  )
})
