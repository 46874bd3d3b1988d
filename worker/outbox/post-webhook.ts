import { Webhook } from 'standardwebhooks'
import { readRetryAfter } from '../retry-after.ts'
import type { WebhookConfig } from './delivery-config.ts'
import { type Outcome, failed } from './outbox-entry.ts'

export interface WebhookMessage {
  readonly id: string
  /** JSON, and signed to the letter. */
  readonly body: string
}

/**
 * Tries once to deliver a webhook ([outbox-5], [outbox-7]). Nothing of the answer but its status and when to come back is read: the
 * body is let go unread. Never throws.
 *
 * @param destination names the receiver in what is kept; never its address
 * @param timeoutMs until the answer's headers have come
 */
export async function postWebhook(
  { url, secrets }: WebhookConfig,
  message: WebhookMessage,
  { destination, timeoutMs, now }: { destination: string; timeoutMs: number; now: () => number },
): Promise<Outcome> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': 'Walkon', ...signed(secrets, message, now()) }
    // A redirect is not followed: it would lead past every rule on where webhooks may go.
    const response = await fetch(url, { method: 'POST', headers, body: message.body, redirect: 'manual', signal })
    await response.body?.cancel().catch(() => {})
    if (response.ok) return { type: 'delivered' }
    if (response.status === 410) return { type: 'gone', destination }
    return failed(`status-${response.status}`, readRetryAfter(response.headers, now()))
  } catch {
    return failed(signal.aborted ? 'timeout' : 'unreachable')
  }
}

/** The three headers of Standard Webhooks. The time is the attempt's; one signature for each secret. */
function signed(secrets: readonly string[], { id, body }: WebhookMessage, now: number): Record<string, string> {
  const at = new Date(now)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}
