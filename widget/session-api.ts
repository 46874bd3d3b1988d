import { decodeCredentials, decodeRefusal } from '../worker/wire/decode.ts'
import type { Credentials, Refusal } from '../worker/wire/messages.ts'

/** Requests conversations and credentials. No method throws: if the service doesn't answer, the result is a refusal. */
export interface SessionApi {
  /** Begins a conversation with one colleague. `identity` is the page's proof of who the learner is. */
  create(request: SessionRequest, signal: AbortSignal): Promise<SessionAnswer>
  /** Exchanges the session's key for new credentials. */
  renew(session: string, request: CredentialsRequest, signal: AbortSignal): Promise<CredentialsAnswer>
}

export interface SessionRequest {
  readonly npc: string
  readonly identity?: object
}

export interface CredentialsRequest {
  readonly key: string
  readonly identity?: object
}

/** `credentials` is null if the service requires no credentials. */
export type SessionAnswer = { ok: true; session: string; key: string; credentials: Credentials | null } | Refusal

export type CredentialsAnswer = { ok: true; credentials: Credentials } | Refusal

/**
 * Makes an API that begins conversations of a scenario with `POST {origin}/api/sessions`. If the scenario or the
 * colleague is empty, the service chooses one.
 */
export function scenarioSessions(origin: string, scenario: string): SessionApi {
  return {
    async create({ npc, identity }, signal) {
      const request = { ...(scenario && { scenario }), ...(npc && { npc }), ...(identity && { identity }) }
      const body = await post(`${origin}/api/sessions`, request, signal)
      const { session, key } = Object(body) as { session?: unknown; key?: unknown }
      if (typeof session !== 'string' || session === '') return refusalIn(body)
      return { ok: true, session, key: typeof key === 'string' ? key : '', credentials: decodeCredentials(body) }
    },
    renew: renewCredentials(origin),
  }
}

/** Returns a function that requests credentials with `POST {origin}/api/sessions/{session}/credentials`. */
export function renewCredentials(origin: string): SessionApi['renew'] {
  return async (session, request, signal) => {
    const body = await post(`${origin}/api/sessions/${session}/credentials`, request, signal)
    const credentials = decodeCredentials(body)
    return credentials ? { ok: true, credentials } : refusalIn(body)
  }
}

/**
 * Deletes a conversation at the service with `POST {origin}/api/sessions/{session}/erase`. Returns false if the service
 * did not delete it.
 */
export async function requestErasure(origin: string, session: string, request: CredentialsRequest): Promise<boolean> {
  const body = await post(`${origin}/api/sessions/${session}/erase`, request, AbortSignal.timeout(15_000))
  return (Object(body) as { erased?: unknown }).erased === true
}

/** Sends a POST request. Returns the response's JSON, or null if the request fails or the response is not JSON. */
export async function post(url: string, request: object, signal: AbortSignal): Promise<unknown> {
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

/** The refusal that a method returns if the service did not answer or its answer was unreadable. */
export const UNAVAILABLE: Refusal = { ok: false, next: 'retry-after', code: 'unavailable', message: '' }
