import { fetchCredentials } from '../../../widget/session-api.ts'
import type { CredentialsAnswer, SessionAnswer, SessionRequest } from '../../../widget/session-api.ts'
import { decodeRefusal } from '../../../worker/wire/decode.ts'
import { runApi, RunApiError } from '../run-api.ts'

export { fetchCredentials }
export type { CredentialsAnswer, SessionAnswer, SessionRequest }

/** The keys of the runs whose conversations are open on this page. */
const keys = new Map<string, string>()

/** A conversation of this run may be asked for from now on. */
export function useRunKey(run: string, key: string): void {
  keys.set(run, key)
}

/**
 * The one conversation with a colleague in a run: `POST /api/run/talk`, and never `POST /api/sessions`. The build of the game
 * puts this file in the place of `widget/session-api.ts` (`scripts/game/exchange.ts`). Never throws.
 *
 * @param request its `scenario` is the run's id
 */
export async function createSession(
  _origin: string,
  { scenario: run = '', npc = '' }: SessionRequest,
  _signal: AbortSignal,
): Promise<SessionAnswer> {
  try {
    const { session, key, token, ticket, lastsMs } = await runApi.talk(keys.get(run) ?? '', npc)
    return { ok: true, session, key, credentials: { token, ticket, lastsMs } }
  } catch (error) {
    const { code, next } = error instanceof RunApiError ? error : { code: 'unavailable', next: 'retry-after' }
    return decodeRefusal({ ok: false, code, next, message: '' }) ?? UNAVAILABLE
  }
}

const UNAVAILABLE = { ok: false, next: 'retry-after', code: 'unavailable', message: '' } as const
