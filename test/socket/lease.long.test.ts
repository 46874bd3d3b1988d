import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { event, streamed } from '../support/completion-stream.ts'
import { type ModelHandler, type ModelServer, startModelServer } from '../support/model-server.ts'
import { close, head, send, type Step, wait } from '../support/model-steps.ts'
import { beginSession, Player } from '../support/player.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

vi.setConfig({ testTimeout: 120_000 })
/** A lease in milliseconds, longer than any pause between two pieces of a reply, even on a slow machine. */
const LEASE_MS = 8_000
const PIECES = 10
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

/** Yields the pieces of a reply, which together take longer than a lease. */
async function* slowly(pieces: readonly string[]): AsyncGenerator<Step> {
  yield head()
  for (const content of pieces) {
    yield wait(new Promise((resolve) => setTimeout(resolve, (LEASE_MS * 1.2) / pieces.length)))
    yield send(event({ content }))
  }
  yield send(`${event({}, 'stop')}data: [DONE]\n\n`)
  yield close
}

it('[turn-9] a reply that keeps sending text is not aborted, though it takes longer than a lease', async () => {
  const player = await Player.join(server, await beginSession(server))
  const words = Array.from({ length: PIECES - 1 }, (_, n) => `${n + 1}, `)
  answerNow = () => slowly([...words, 'and done.\n---END---\n{}'])
  expect(await player.say('Hello')).toMatchObject({
    outcome: 'complete',
    attempt: 1,
    text: `${words.join('')}and done.`,
  })
  answerNow = () => streamed(['Hi.\n---END---\n{}'])
  expect(await player.say('And now?')).toMatchObject({ outcome: 'complete' })
  player.leave()
})
