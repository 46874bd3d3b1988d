import { ChainClientError, createChainClient } from '../../worker/chain/client/chain-client.ts'
import type { ChainClient } from '../../worker/chain/client/chain-client.ts'
import type { ToldTurns } from '../../worker/session/assistant/assistant-record.ts'
import type { ToldAddress } from './address.ts'

/** Why a request failed, and what to do next. */
export type ChainProblem = Pick<ChainClientError, 'code' | 'next' | 'retryAfterMs'>

/** The requests of this page. All of them only read. */
export interface Api extends Pick<ChainClient, 'listContexts' | 'getContext' | 'verifyIntegrity' | 'getConversation'> {
  told(asked: Omit<ToldAddress, 'screen'>): Promise<ToldTurns>
}

/**
 * Returns true if the same request would fail again, for example because its cursor is outdated, but a request for the
 * start of the list can succeed.
 */
export function isOutdated({ code, next }: ChainProblem): boolean {
  return next === 'start-over' || code === 'INVALID_CURSOR'
}

/**
 * Matches a text that can be a token. A token is sent in a header, and the browser refuses other characters in a
 * header.
 */
const TOKEN = /^[\x21-\x7e]{1,200}$/

/** Makes a client of the chain for a token; null if the text cannot be a token. */
export function connectToChain(token: string): Api | null {
  if (!TOKEN.test(token)) return null
  return { ...createChainClient({ baseUrl: location.origin, token }), told: (asked) => readTold(token, asked) }
}

/** @throws ChainClientError */
async function readTold(token: string, { session, turn }: Omit<ToldAddress, 'screen'>): Promise<ToldTurns> {
  const at = `/api/told/${encodeURIComponent(session)}${turn === null ? '' : `?turn=${turn}`}`
  const response = await fetch(at, { headers: { Authorization: `Bearer ${token}` } }).catch(() => null)
  const body = (await response?.json().catch(() => null)) as (ToldTurns & { error?: object }) | null | undefined
  if (response?.ok && body) return body
  throw new ChainClientError(response?.status ?? 0, body?.error ?? { code: response ? 'unavailable' : 'unreachable' })
}

/**
 * Makes a ChainProblem from any error. An error that is no ChainClientError is a bug in this page. An operator can't
 * fix the bug, so the page treats it like a failure of the service.
 */
export function chainProblemOf(error: unknown): ChainProblem {
  return error instanceof ChainClientError ? error : { code: 'unavailable', next: 'retry-after', retryAfterMs: null }
}

/** Returns the public development token if the service has no keys of its own; otherwise null. */
export async function developmentTokenOf(): Promise<string | null> {
  try {
    const response = await fetch('/api/operator')
    const answer = (await response.json()) as { developmentToken?: unknown }
    return response.ok && typeof answer.developmentToken === 'string' ? answer.developmentToken : null
  } catch {
    return null
  }
}

const TOKEN_NAME = 'walkon-operator-token'

/**
 * Keeps the token until this tab closes. The token is never in an address, because people share addresses. If storage
 * is denied, the token stays in memory until the next reload.
 */
export function tokenKeeper(): {
  read(): string | null
  keep(token: string): void
  forget(): void
} {
  let held: string | null = null
  return {
    read: () => held ?? storage()?.getItem(TOKEN_NAME) ?? null,
    keep(token) {
      held = token
      storage()?.setItem(TOKEN_NAME, token)
    },
    forget() {
      held = null
      storage()?.removeItem(TOKEN_NAME)
    },
  }
}

/** Returns null if storage is denied, because reading `sessionStorage` then throws. */
function storage(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
