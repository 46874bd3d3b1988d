import { afterAll, beforeAll, expect, it } from 'vitest'
import { event, streamed } from '../support/completion-stream.ts'
import { type ModelHandler, type ModelServer, startModelServer } from '../support/model-server.ts'
import { close, head, send, type Step, wait } from '../support/model-steps.ts'
import { beginSession, Player } from '../support/player.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

const LEASE_MS = 2_000
let model: ModelServer
let server: WorkerServer
let answerNow: ModelHandler = () => []

beforeAll(async () => {
  model = await startModelServer((request) => answerNow(request))
  server = await startWorkerServer({
    configPath: 'wrangler.toml',
    vars: {
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'walkon-test',
      WALKON_TURN_LEASE_MS: String(LEASE_MS),
    },
  })
})
afterAll(async () => {
  await server.stop()
  await model.close()
})

/** A piece of a reply, most of a lease after the one before. */
async function* slowly(pieces: readonly string[]): AsyncGenerator<Step> {
  yield head()
  for (const content of pieces) {
    yield wait(new Promise((resolve) => setTimeout(resolve, LEASE_MS * 0.6)))
    yield send(event({ content }))
  }
  yield send(`${event({}, 'stop')}data: [DONE]\n\n`)
  yield close
}

it('[D9] a reply of which there is always more is not called off, though it takes longer than a lease', async () => {
  const player = await Player.join(server, await beginSession(server))
  answerNow = () => slowly(['One, ', 'two, ', 'three ', 'and four.\n', '---END---\n{}'])
  expect(await player.say('Hello')).toMatchObject({
    outcome: 'complete',
    attempt: 1,
    text: 'One, two, three and four.',
  })
  answerNow = () => streamed(['Hi.\n---END---\n{}'])
  expect(await player.say('And now?')).toMatchObject({ outcome: 'complete' })
  player.leave()
})
