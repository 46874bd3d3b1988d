import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Outcome } from '../../worker/outbox/outbox-entry.ts'
import { postWebhook } from '../../worker/outbox/post-webhook.ts'
import { refusedUrl } from '../support/model-server.ts'
import { type Answer, WebhookReceiver, webhookSecret } from '../support/webhook-receiver.ts'

const [OLD, NEW, OTHER] = [webhookSecret(1), webhookSecret(2), webhookSecret(3)]
const BODY = '{"type":"a.b","timestamp":"2026-01-01T00:00:00.000Z","data":{"é":"ü 🙂 \\u2028"}}'
let receiver: WebhookReceiver

beforeAll(async () => {
  receiver = await WebhookReceiver.start(OLD)
})
beforeEach(() => {
  receiver.deliveries.length = 0
  receiver.unverified.length = 0
  receiver.answer = () => ({ status: 204 })
})
afterAll(() => receiver.stop())

function post(
  secrets = [NEW, OLD],
  { url = receiver.url, timeoutMs = 25_000, now = Date.now() } = {},
): Promise<Outcome> {
  const message = { id: 'evt_1', body: BODY }
  return postWebhook({ url, secrets }, message, { destination: 'there', timeoutMs, now: () => now })
}

describe('a webhook', () => {
  it('[outbox-5] is verified by the standard library, also in the middle of a change of secrets', async () => {
    expect(await post()).toEqual({ type: 'delivered' })
    const [delivery] = receiver.deliveries
    expect(delivery?.raw).toBe(BODY)
    expect(delivery?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'evt_1' })
    expect(delivery?.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
  })

  it('[outbox-5] is signed as the standard says, reckoned by hand', async () => {
    const now = Date.now()
    await post([OLD], { now })
    const { headers } = receiver.deliveries[0] ?? { headers: {} }
    const at = Math.floor(now / 1000)
    const sum = createHmac('sha256', Buffer.alloc(32, 1)).update(`evt_1.${at}.${BODY}`).digest('base64')
    expect(headers).toMatchObject({ 'webhook-timestamp': String(at), 'webhook-signature': `v1,${sum}` })
  })

  it('[outbox-5] signed by another secret, or long ago, is not believed', async () => {
    expect(await post([OTHER])).toMatchObject({ why: 'status-401' })
    expect(await post([OLD], { now: Date.now() - 600_000 })).toMatchObject({ why: 'status-401' })
    expect(receiver.unverified).toHaveLength(2)
  })

  it.each([200, 201, 202, 204, 299])('[outbox-7] %i: delivered', async (status) => {
    receiver.answer = () => ({ status })
    expect(await post()).toEqual({ type: 'delivered' })
  })

  it.each([304, 400, 401, 404, 409, 418, 429, 500, 502, 503, 504])('[outbox-7] %i: failed', async (status) => {
    receiver.answer = () => ({ status })
    expect(await post()).toEqual({ type: 'failed', why: `status-${status}`, retryAfterMs: null })
  })

  it.each([301, 302, 303, 307, 308])('[outbox-7] %i: failed, and the redirect is not followed', async (status) => {
    receiver.answer = () => ({ status, headers: { location: `${receiver.url}/elsewhere` } })
    expect(await post()).toMatchObject({ type: 'failed', why: `status-${status}` })
    expect(receiver.deliveries).toHaveLength(1)
  })

  it('[outbox-9] is told when to come back', async () => {
    const asked = (value: string): Answer => ({ status: 503, headers: { 'retry-after': value } })
    receiver.answer = () => asked('90')
    expect(await post()).toMatchObject({ retryAfterMs: 90_000 })
    receiver.answer = () => asked('99999999')
    expect(await post()).toMatchObject({ retryAfterMs: 86_400_000 })
  })

  it('[outbox-10] 410: the receiver is gone', async () => {
    receiver.answer = () => ({ status: 410 })
    expect(await post()).toEqual({ type: 'gone', destination: 'there' })
  })

  it('[outbox-7] silence, a broken or refused connection: failed', async () => {
    receiver.answer = () => 'hang'
    expect(await post([OLD], { timeoutMs: 100 })).toMatchObject({ type: 'failed', why: 'timeout' })
    receiver.letGo()
    receiver.answer = () => 'reset'
    expect(await post()).toMatchObject({ type: 'failed', why: 'unreachable' })
    expect(await post([OLD], { url: await refusedUrl() })).toMatchObject({ type: 'failed', why: 'unreachable' })
  })
})
