import { ChainClientError, createChainClient } from '../../worker/chain/client/chain-client.ts'
import type { ChainClient } from '../../worker/chain/client/chain-client.ts'

/** Why something was not answered, and what to do next. */
export type ChainProblem = Pick<ChainClientError, 'code' | 'next' | 'retryAfterMs'>

/** What this page asks of the chain. It writes nothing. */
export type Api = Pick<ChainClient, 'listContexts' | 'getContext' | 'verifyIntegrity' | 'getConversation'>

/** Whether the same request would never be answered, but one from the start would. */
export function isOutdated({ code, next }: ChainProblem): boolean {
  return next === 'start-over' || code === 'INVALID_CURSOR'
}

/** What a header can carry. Anything else is no token, and would come to no answer at all. */
const TOKEN = /^[\x21-\x7e]{1,200}$/

/** The chain, as the holder of a token sees it; null for what cannot be one. */
export function connectToChain(token: string): Api | null {
  return TOKEN.test(token) ? createChainClient({ baseUrl: location.origin, token }) : null
}

/** What to do about whatever was thrown; a defect of this page is not for the reader to mend either. */
export function chainProblemOf(error: unknown): ChainProblem {
  return error instanceof ChainClientError ? error : { code: 'unavailable', next: 'retry-after', retryAfterMs: null }
}

/** The token that everybody knows, where the service was begun without keys of its own; null elsewhere. */
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
 * The token, for as long as this tab is open and no longer. It is never in the address, where it would be shared with a
 * view. Where the browser keeps nothing it is held by the page alone, until the next reload.
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

/** A browser that keeps nothing throws at the mere name. */
function storage(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
