import { decodeRefusal } from '../worker/wire/decode.ts'
import type { Refusal } from '../worker/wire/messages.ts'

export interface SessionRequest {
  scenario?: string
  npc?: string
}

export type SessionAnswer = { ok: true; session: string } | Refusal

/**
 * Asks the service for a new conversation: `POST {origin}/api/sessions`. Never throws: a service that cannot be
 * reached, or answers with something else, is a refusal too.
 */
export async function createSession(
  origin: string,
  request: SessionRequest,
  signal: AbortSignal,
): Promise<SessionAnswer> {
  try {
    const response = await fetch(`${origin}/api/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
    })
    const body: unknown = await response.json()
    const { session, error } = Object(body) as { session?: unknown; error?: unknown }
    if (response.ok && typeof session === 'string' && session !== '') return { ok: true, session }
    return decodeRefusal(error) ?? UNAVAILABLE
  } catch {
    return UNAVAILABLE
  }
}

const UNAVAILABLE: Refusal = { ok: false, next: 'retry-after', code: 'unavailable', message: '' }
