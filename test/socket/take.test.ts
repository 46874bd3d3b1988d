import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { streamed } from '../support/completion-stream.ts'
import { type ModelHandler, type ModelServer, startModelServer } from '../support/model-server.ts'
import { answer } from '../support/model-steps.ts'
import { beginSession, newCid, Player } from '../support/player.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

let model: ModelServer
let server: WorkerServer
let answerNow: ModelHandler = () => []
const players: Player[] = []

beforeAll(async () => {
  model = await startModelServer((request) => answerNow(request))
  server = await startWorkerServer({
    configPath: 'wrangler.toml',
    vars: { OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'walkon-test' },
  })
})
afterEach(() => {
  for (const player of players.splice(0)) player.leave()
})
afterAll(async () => {
  await server.stop()
  await model.close()
})

async function join(): Promise<Player> {
  const player = await Player.join(server, await beginSession(server))
  players.push(player)
  return player
}

it.each([
  ['letters', 'x'.repeat(2_000), 'x'],
  ['characters of two code units', '😀'.repeat(1_000), '😀'],
])('[message-12] accepts a message of 2,000 code units of %s, but not a longer one', async (_, longest, more) => {
  answerNow = () => streamed(['Hi.\n---END---\n{}'])
  const player = await join()
  expect(await player.emit('say', { cid: newCid(), text: longest + more })).toMatchObject({ code: 'too-long' })
  expect(await player.say(longest)).toMatchObject({ turn: 1, outcome: 'complete' })
})

it('[message-15] retries only the last turn', async () => {
  const player = await join()
  answerNow = () => streamed(['Hi.\n---END---\n{}'])
  await player.say('Hello')
  answerNow = () => answer(500, {}, '')
  expect(await player.say('And now?')).toMatchObject({ turn: 2, outcome: 'failed' })
  for (const turn of [1, 3])
    expect(await player.emit('retry', { cid: newCid(), turn })).toMatchObject({ code: 'nothing-to-retry' })
  answerNow = () => streamed(['Hi again.\n---END---\n{}'])
  expect(await player.emit('retry', { cid: newCid(), turn: 2 })).toMatchObject({ ok: true, turn: 2 })
})
