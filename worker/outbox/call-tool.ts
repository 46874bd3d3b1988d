import { cap } from '../core/reply/characters.ts'
import { clean } from '../core/text/clean.ts'
import type { WebhookConfig } from './delivery-config.ts'
import { signed } from './post-webhook.ts'

/** A call of a tool that the deployment's own server runs. */
export interface DeploymentCall {
  /** The call's id, which no other call of any session has. A receiver that has seen it does nothing again. */
  readonly id: string
  readonly tool: string
  readonly input: string
}

export interface CallResult {
  readonly ok: boolean
  /** What the server answered, as text; '' if it did not. */
  readonly text: string
}

/** The most bytes that are read of an answer. */
const MOST_BYTES = 32_768

/**
 * Lets the deployment's server run a tool: one signed request to its webhook's address, in the form of Standard Webhooks.
 * The body of an answer with a status of 200 to 299 is the result. Is tried once, follows no redirect, and never throws.
 */
export async function callTool(
  { url, secrets }: WebhookConfig,
  { id, tool, input }: DeploymentCall,
  { timeoutMs, now, signal }: { timeoutMs: number; now: () => number; signal: AbortSignal },
): Promise<CallResult> {
  const at = now()
  const body = JSON.stringify({ type: 'tool-call', timestamp: new Date(at).toISOString(), data: { tool, input } })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Walkon', ...signed(secrets, { id, body }, at) },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const text = clean(cap(await firstOf(response), MOST_BYTES))
    return { ok: response.ok, text: response.ok ? text : '' }
  } catch {
    return { ok: false, text: '' }
  }
}

async function firstOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let read = 0
  for await (const chunk of body ?? []) {
    read += chunk.length
    text += decoder.decode(chunk, { stream: true })
    // The rest is cancelled with the loop.
    if (read > MOST_BYTES) break
  }
  return text
}
