import { decodeCredentials, decodeRefusal } from '../worker/wire/decode.ts'
import type { Credentials, Refusal } from '../worker/wire/messages.ts'

export interface SessionRequest {
  scenario?: string
  npc?: string
  identity?: object
}

/** `credentials` is null where the service lets everybody in. */
export type SessionAnswer = { ok: true; session: string; key: string; credentials: Credentials | null } | Refusal

export type CredentialsAnswer = { ok: true; credentials: Credentials } | Refusal

/**
 * Asks the service for a new conversation: `POST {origin}/api/sessions`. Never throws: a service that cannot be
 * reached, or answers with something else, is a refusal too.
 */
export async function createSession(
  origin: string,
  request: SessionRequest,
  signal: AbortSignal,
): Promise<SessionAnswer> {
  const body = await ask(`${origin}/api/sessions`, request, signal)
  const { session, key } = Object(body) as { session?: unknown; key?: unknown }
  if (typeof session !== 'string' || session === '') return refusalIn(body)
  return { ok: true, session, key: typeof key === 'string' ? key : '', credentials: decodeCredentials(body) }
}

/** Asks for new credentials with the key that the session was given. Never throws. */
export async function fetchCredentials(
  origin: string,
  session: string,
  request: { key: string; identity?: object },
  signal: AbortSignal,
): Promise<CredentialsAnswer> {
  const body = await ask(`${origin}/api/sessions/${session}/credentials`, request, signal)
  const credentials = decodeCredentials(body)
  return credentials ? { ok: true, credentials } : refusalIn(body)
}

/** The JSON that came back, or null. */
async function ask(url: string, request: object, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
    })
    return await response.json()
  } catch {
    return null
  }
}

function refusalIn(body: unknown): Refusal {
  return decodeRefusal((Object(body) as { error?: unknown }).error) ?? UNAVAILABLE
}

const UNAVAILABLE: Refusal = { ok: false, next: 'retry-after', code: 'unavailable', message: '' }
