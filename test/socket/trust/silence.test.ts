import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { streamed } from '../../support/completion-stream.ts'
import { credentialsOf, renewCredentials } from '../../support/credentials.ts'
import { type ModelServer, startModelServer } from '../../support/model-server.ts'
import { answer, hang, type Step } from '../../support/model-steps.ts'
import { newCid, openSession, Player } from '../../support/player.ts'
import { rawRequest } from '../../support/raw-request.ts'
import { WebhookReceiver, webhookSecret } from '../../support/webhook-receiver.ts'
import { startWorkerServer, type WorkerServer } from '../../support/worker-server.ts'
import { log } from '../../../worker/log.ts'
import { base64url, drawn } from './secrets.ts'

const WORDS = 'The heron at gate nine knows'
const TOLD = 'Herons keep to the north pier'
const PAGE = 'Lesson of the grey feather'
const secret = (seed: number) => base64url(drawn(36, seed))
const SECRETS = {
  WALKON_TOKEN_KEYS: base64url(drawn(32, 41)),
  WALKON_ADMIN_SECRET: secret(42),
  WALKON_LEARNER_SECRET: secret(43),
  WALKON_IDENTITY_SECRET: secret(44),
  OPENAI_API_KEY: `sk-${secret(45)}`,
  WALKON_WEBHOOK_SECRET: webhookSecret(46),
}

let model: ModelServer
let receiver: WebhookReceiver
let server: WorkerServer
let answers: Step[][] = []

beforeAll(async () => {
  model = await startModelServer(() => answers.shift() ?? streamed([`${TOLD}.`, '\n---END---\n', '{}']))
  receiver = await WebhookReceiver.start(SECRETS.WALKON_WEBHOOK_SECRET)
  server = await startWorkerServer({
    configPath: 'test/socket/trust/wrangler.toml',
    vars: {
      ...SECRETS,
      WALKON_TOKEN_KEYS: `a:${SECRETS.WALKON_TOKEN_KEYS}`,
      WALKON_IDENTITY: 'optional',
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'walkon-test',
      WALKON_MODEL_IDLE_MS: '500',
      WALKON_MODEL_OVERALL_MS: '3000',
      WALKON_WEBHOOK_URL: receiver.url,
      WALKON_WEBHOOK_INSECURE: 'true',
    },
  })
})
afterAll(async () => {
  await server.stop()
  await Promise.all([model.close(), receiver.stop()])
})

describe('the log', () => {
  it('[trust-21] contains no secret, no credential and no message, whatever goes wrong', async () => {
    const read: string[] = []
    const ask = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
      const sent = typeof body === 'string' ? body : JSON.stringify(body)
      const told = await rawRequest(new URL(path, server.url), { method: 'POST', body: sent, headers })
      read.push(told.body, JSON.stringify(told.headers))
      return told
    }
    const session = await openSession(server, { scenario: 'launch-decision', npc: 'maya' })
    const first = credentialsOf(session)
    const player = await Player.join(server, session)
    const turn = async (...steps: Step[][]) => {
      answers = steps
      await player.emit('say', { cid: newCid(), text: `${WORDS}.`, page: PAGE }).then(async (taken) => {
        if (taken.ok) await player.turn(taken.turn)
      })
    }
    await turn()
    await turn(answer(500, {}, `${WORDS} ${TOLD}`), answer(401, {}, SECRETS.OPENAI_API_KEY))
    await turn([hang], [hang])
    await turn(streamed([`${TOLD} `, TOLD]), streamed(['---END---\n', `{"${TOLD}`]))
    await server.evict({ className: 'ConversationObject', id: session })
    await turn()
    await player.emit('say', { cid: WORDS, text: 7 })
    await player.emit(WORDS, { [WORDS]: SECRETS.WALKON_ADMIN_SECRET })
    player.leave()
    const second = await renewCredentials(server.url, session)

    // Sends every secret and text wherever the server may refuse a request.
    for (const each of [...Object.values(SECRETS), WORDS, first.key, first.token]) {
      await ask('api/sessions', each)
      await ask('api/sessions', { scenario: each, identity: { user: each, hash: each } })
      await ask(`api/sessions/${session}/credentials`, { key: each, identity: { jwt: each } })
      await ask(`api/sessions/${encodeURIComponent(each)}/credentials`, { key: first.key })
      await ask(`api/admin/sessions/${session}/revoke`, '', { Authorization: `Bearer ${each}x` })
      await ask(`api/admin/${encodeURIComponent(each)}`, '', { Authorization: `Bearer ${SECRETS.WALKON_ADMIN_SECRET}` })
      await ask('api/sessions', '{}', { Origin: `https://${each.replaceAll(' ', '.').slice(0, 60)}.example` })
    }

    // Waits for a log line that only this request can have written, because log lines may arrive later than the
    // responses.
    const bearing = { headers: { Authorization: `Bearer ${SECRETS.WALKON_ADMIN_SECRET}` } }
    expect((await rawRequest(new URL(`api/admin/sessions/${session}/log`, server.url), bearing)).status).toBe(200)
    const isLast = (line: string) => line.includes('"event":"admin"') && line.includes('"act":"log"')
    await expect.poll(() => server.logs().some(isLast)).toBe(true)

    // wrangler also logs requests, but only in development. A deployment keeps only the worker's own lines.
    const lines = server.logs().filter((line) => !line.includes('[wrangler:info]'))
    const canaries = [...Object.values(SECRETS), WORDS, TOLD, PAGE, first.key, first.token, second.token]
    const found = canaries.filter((canary) => lines.some((line) => line.includes(canary)))
    expect(found).toEqual([])
    // No response contains any of these texts, and the server sends a client's own key only once.
    expect(canaries.filter((canary) => read.some((text) => text.includes(canary)))).toEqual([])
  })

  it('[trust-21] never contains anything that looks like a secret, even if the code logs one', () => {
    const lines: string[] = []
    const { log: write } = console
    console.log = (line: string) => void lines.push(line)
    try {
      for (const value of [
        ...Object.values(SECRETS),
        `it was ${secret(9)}.`,
        `Bearer short`,
        'sk-short',
        'whsec_short',
      ])
        log('test', { detail: value, session: value })
      log('test', { session: 'a'.repeat(64), turn: 7, error: 'TypeError', missing: null })
    } finally {
      console.log = write
    }
    expect(lines.pop()).toBe(
      `{"event":"test","session":"${'a'.repeat(64)}","turn":7,"error":"TypeError","missing":null}`,
    )
    for (const line of lines) expect(line).toContain('[redacted]')
    const secrets = [...Object.values(SECRETS), secret(9), 'short']
    expect(secrets.filter((each) => lines.some((line) => line.includes(each)))).toEqual([])
  })
})
