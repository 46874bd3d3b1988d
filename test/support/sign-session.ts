import { type Claims, type Kind, secondsOf, sign, type Signing } from '../../worker/trust/credential.ts'
import { issueCredentials, issueKey, lifeFrom, type Lifetimes } from '../../worker/trust/credentials.ts'
import { DEVELOPMENT_KEYS } from '../../worker/trust/token-keys.ts'
import type { Given } from './credentials.ts'

/** The signing keys of a worker that has no configured key. */
export const DEVELOPMENT: Signing = { deployment: 'walkon', keys: DEVELOPMENT_KEYS.keys }

const LIFETIMES: Lifetimes = { token: 12 * 3600, key: 30 * 86_400 }

/**
 * Signs credentials for a session, as a worker without a configured key does. The session need not have been opened
 * with `POST /api/sessions`. The token is valid for half a day. If `origin` is given, the credentials hold only for
 * pages of this origin.
 */
export async function signSession(
  session: string,
  { origin = null, now = Date.now() }: { origin?: string | null; now?: number } = {},
): Promise<Given> {
  const holder = { session, origin, epoch: 0, learner: undefined }
  const until = secondsOf(now) + LIFETIMES.key
  const life = lifeFrom(now, until)
  const key = await issueKey(DEVELOPMENT, holder, until, now)
  return { key, ...(await issueCredentials(DEVELOPMENT, LIFETIMES, holder, life, now)) }
}

/** Signs one credential as a worker without a configured key does. The credential is valid for a minute from `now`. */
export function signOne<K extends Kind>(
  kind: K,
  session: string,
  claims: Claims[K],
  now = Date.now(),
): Promise<string> {
  return sign(DEVELOPMENT, kind, { session, claims, now, until: secondsOf(now) + 60 })
}
