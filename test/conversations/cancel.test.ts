import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { door, DOORS_CONFIG } from '../support/doors.ts'
import { event, streamed } from '../support/completion-stream.ts'
import { type ModelHandler, type ModelServer, startModelServer } from '../support/model-server.ts'
import { hang, head, send, wait } from '../support/model-steps.ts'
import { beginSession, newCid, Player } from '../support/player.ts'
import { StreamWatcher } from '../support/stream-watcher.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

let model: ModelServer
let server: WorkerServer
let answerNow: ModelHandler = () => []
const players: { leave(): void }[] = []

beforeAll(async () => {
  model = await startModelServer((request) => answerNow(request))
  server = await startWorkerServer({
    configPath: DOORS_CONFIG,
    // Long timeouts, so that the learner stops the reply before the server gives up the model call.
    vars: {
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'walkon-test',
      WALKON_MODEL_IDLE_MS: '60000',
      WALKON_MODEL_OVERALL_MS: '60000',
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

async function join(session: string): Promise<Player> {
  const player = await Player.join(server, session)
  players.push(player)
  return player
}

/** A text so long that the server sends it at once. After this text, the model sends nothing more. */
const BEGUN = 'The report says eight percent, but that is only the average over everything we asked it; '
const stalling: ModelHandler = () => [head(), send(event({ content: BEGUN })), hang]
const whole: ModelHandler = () => streamed(['Fine.\n---END---\n{"node_satisfied": true}'])

/** Sends a message and waits until the player has received part of the reply. */
async function interrupted(player: Player, turn = 1): Promise<void> {
  answerNow = stalling
  await player.emit('say', { cid: newCid(), text: `Well, number ${turn}?` })
  await player.until(() => player.deltas.find((delta) => delta.turn === turn))
}

interface Prompt {
  readonly messages: readonly { readonly content: string }[]
}

function lastPrompt(): string {
  const { messages } = model.requests.all.at(-1)!.body as Prompt
  return messages.map(({ content }) => content).join('\n')
}

describe('a reply that the learner stops', { timeout: 60_000 }, () => {
  it('[message-27] ends with exactly the text that was sent, and the conversation stays in its node', async () => {
    const session = await beginSession(server)
    const [player, other] = [await join(session), await join(session)]
    const before = await door(server, session, 'walk')
    await interrupted(player)
    expect(await player.emit('cancel', { turn: 1 })).toEqual({ ok: true, turn: 1, seq: 3 })
    const end = await player.turn(1)
    expect(end).toMatchObject({ seq: 3, attempt: 1, outcome: 'cut', text: player.streamed(1) })
    expect(end.text).not.toBe('')
    expect(await other.turn(1)).toEqual(end)
    expect(await door(server, session, 'walk')).toEqual(before)
  })

  it('[message-27] [turn-10] can be followed by another message at once, and sends no text after its end', async () => {
    const player = await join(await beginSession(server))
    await interrupted(player)
    const cancelled = player.emit('cancel', { turn: 1 })
    answerNow = whole
    const said = player.emit('say', { cid: newCid(), text: 'Never mind. What else?' })
    expect(await cancelled).toMatchObject({ ok: true })
    expect(await said).toMatchObject({ ok: true, turn: 2 })
    expect(await player.turn(2)).toMatchObject({ outcome: 'complete', text: 'Fine.' })
    const frames = player.client.packets.filter((packet) => packet.includes('"turn":1,'))
    expect(frames.findLastIndex((frame) => frame.includes('"delta"'))).toBeLessThan(
      frames.findIndex((frame) => frame.includes('"outcome":"cut"')),
    )
  })

  it('[turn-13] is in the next prompt up to the stop, with a mark', async () => {
    const session = await beginSession(server)
    const player = await join(session)
    await interrupted(player)
    await player.emit('cancel', { turn: 1 })
    answerNow = whole
    await player.say('And the medical ones?')
    const prompt = lastPrompt()
    expect(prompt).toContain('Well, number 1?')
    expect(prompt).toContain(player.streamed(1).trim())
    expect(prompt).toContain('cut off: the learner stopped this reply here')
    const messages = JSON.stringify(await door(server, session, 'interactionLog'))
    expect(messages).toContain('Well, number 1?')
    expect(messages).toContain(player.streamed(1).trim())
  })

  it('[message-27] can be stopped before its first word, from another tab', async () => {
    const session = await beginSession(server)
    const [player, other] = [await join(session), await join(session)]
    answerNow = () => [hang]
    const asked = model.requests.all.length
    await player.emit('say', { cid: newCid(), text: 'Hello?' })
    while (model.requests.all.length === asked) await model.requests.next()
    expect(await other.emit('cancel', { turn: 1 })).toMatchObject({ ok: true })
    expect(await player.turn(1)).toMatchObject({ outcome: 'cut', text: '' })
    answerNow = whole
    expect((await other.say('Are you there?')).outcome).toBe('complete')
    const prompt = lastPrompt()
    expect(prompt).toContain('cut off: the learner stopped this reply before it began')
  })

  it('[message-27] stopped twice ends once, with the same answer', async () => {
    const session = await beginSession(server)
    const [player, other] = [await join(session), await join(session)]
    await interrupted(player)
    const answers = await Promise.all([
      player.emit('cancel', { turn: 1 }),
      other.emit('cancel', { turn: 1 }),
      player.emit('cancel', { turn: 1 }),
    ])
    expect(answers).toEqual(answers.map(() => ({ ok: true, turn: 1, seq: 3 })))
    await player.turn(1)
    expect(player.events.filter(({ type }) => type === 'turn')).toHaveLength(1)
  })

  it('[message-27] [turn-6] can be stopped during its second attempt', async () => {
    const session = await beginSession(server)
    const player = await join(session)
    await interrupted(player)
    await door(server, session, 'die')
    const watcher = new StreamWatcher(server, session, 'watcher')
    players.push(watcher)
    const running = await watcher.until(
      () => watcher.running?.attempt === 2 && watcher.running.text !== '' && watcher.running,
    )
    expect(await player.emit('cancel', { turn: 1 })).toMatchObject({ ok: true })
    const end = await watcher.until(() => watcher.events.find(({ type }) => type === 'turn'))
    expect(end).toMatchObject({ attempt: 2, outcome: 'cut', text: expect.stringContaining(running.text) })
    expect(watcher.shown.at(-1)).toMatchObject({ attempt: 2, text: end.type === 'turn' ? end.text : '' })
  })

  it('[message-27] is either stopped or completed, never both', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, async (_, delay) => {
        const released = Promise.withResolvers<void>()
        const session = await beginSession(server)
        const player = await join(session)
        answerNow = function* () {
          yield head()
          yield send(event({ content: BEGUN }))
          yield wait(released.promise)
          yield* streamed([' And that is that.\n---END---\n{"node_satisfied": true}']).slice(1)
        }
        const asked = model.requests.all.length
        await player.emit('say', { cid: newCid(), text: `Well, number ${delay}?` })
        await player.until(() => player.deltas.at(0))
        expect(model.requests.all.length).toBeGreaterThan(asked)
        released.resolve()
        // Waits for 0 to 3 round trips, so that the request to stop comes at different moments of the reply.
        for (let trips = 0; trips < delay % 4; trips++) await player.emit('nothing', {})
        const answer = await player.emit('cancel', { turn: 1 })
        const end = await player.turn(1)
        expect(player.events.filter(({ type }) => type === 'turn')).toHaveLength(1)
        expect(end.outcome).toBe(answer.ok ? 'cut' : 'complete')
        if (!answer.ok) expect(answer.code).toBe('nothing-to-cancel')
        const { events } = await join(session)
        expect(events.find(({ type }) => type === 'turn')).toEqual(end)
        return end.outcome
      }),
    )
    expect(outcomes.every((outcome) => outcome === 'cut' || outcome === 'complete')).toBe(true)
  })

  it.each([
    ['a turn that came to its end', 1],
    ['a turn that never was', 7],
  ])('[message-27] cannot be stopped: %s', async (_, turn) => {
    answerNow = whole
    const player = await join(await beginSession(server))
    await player.say('Hello')
    expect(await player.emit('cancel', { turn })).toMatchObject({
      ok: false,
      code: 'nothing-to-cancel',
      next: 'give-up',
    })
    expect(await player.emit('cancel', {})).toMatchObject({ code: 'malformed' })
    expect(player.events.filter(({ type }) => type === 'turn')).toHaveLength(1)
  })

  it('[turn-13] counts as a turn, so a retry is refused', async () => {
    const player = await join(await beginSession(server))
    await interrupted(player)
    await player.emit('cancel', { turn: 1 })
    expect(await player.emit('retry', { cid: newCid(), turn: 1 })).toMatchObject({ code: 'nothing-to-retry' })
  })
})
