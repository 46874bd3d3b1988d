import { Webhook } from 'standardwebhooks'
import { readRetryAfter } from '../retry-after.ts'
import type { WebhookConfig } from './delivery-config.ts'
import { type Outcome, failed } from './outbox-entry.ts'

export interface WebhookMessage {
  readonly id: string
  /** The JSON text, exactly as it is signed. */
  readonly body: string
}

/**
 * Tries once to deliver a webhook ([outbox-5], [outbox-7]). Of the receiver's answer, only the status and the wait
 * before a retry are read. Never throws.
 *
 * @param destination identifies the receiver in stored records, without its address
 * @param timeoutMs how long the receiver may take until its answer's headers arrive
 */
export async function postWebhook(
  { url, secrets }: WebhookConfig,
  message: WebhookMessage,
  { destination, timeoutMs, now }: { destination: string; timeoutMs: number; now: () => number },
): Promise<Outcome> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': 'Walkon', ...signed(secrets, message, now()) }
    // A redirect is not followed, because it could lead to an address that the settings may not name.
    const response = await fetch(url, { method: 'POST', headers, body: message.body, redirect: 'manual', signal })
    await response.body?.cancel().catch(() => {})
    if (response.ok) return { type: 'delivered' }
    if (response.status === 410) return { type: 'gone', destination }
    return failed(`status-${response.status}`, readRetryAfter(response.headers, now()))
  } catch {
    return failed(signal.aborted ? 'timeout' : 'unreachable')
  }
}

/** Returns the three headers of Standard Webhooks. There is one signature for each secret. */
export function signed(secrets: readonly string[], { id, body }: WebhookMessage, now: number): Record<string, string> {
  const at = new Date(now)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}
