import type { Credentials } from '../wire/messages.ts'
import { secondsOf, sign, type Signing } from './credential.ts'

/** How long a deployment's credentials are valid, in seconds. */
export interface Lifetimes {
  readonly token: number
  readonly key: number
}

/** For how many seconds a client can renew its token. After that, the client has to exchange its key for a new one. */
export const LIFE_SECONDS = 12 * 3600

/** The session, the page and the learner for whom credentials are issued. */
export interface Holder {
  readonly session: string
  /** The origin of the client's page; null for a client that is not a page. */
  readonly origin: string | null
  /** How often the session's credentials were revoked. Credentials with another number are refused. */
  readonly epoch: number
  /** The id of the verified learner; undefined for an anonymous learner. */
  readonly learner: string | undefined
}

/**
 * Issues the key of a session, which the client stores and exchanges for credentials ([trust-5]).
 *
 * @param until when the key expires, in seconds since 1970
 */
export function issueKey(
  signing: Signing,
  { session, epoch, learner }: Omit<Holder, 'origin'>,
  until: number,
  now: number,
): Promise<string> {
  const claims = { ep: epoch, ...(learner !== undefined && { lrn: learner }) }
  return sign(signing, 'key', { session, claims, now, until })
}

/**
 * Returns the time until which a token that is issued now, for a key that expires at `keyEnds`, can be renewed.
 * `keyEnds` and the returned time are in seconds since 1970; `now` is in milliseconds since 1970.
 */
export function lifeFrom(now: number, keyEnds: number): number {
  return Math.min(secondsOf(now) + LIFE_SECONDS, keyEnds)
}

/** Issues a token and a ticket for one client. Neither is valid after `life` (seconds since 1970). */
export async function issueCredentials(
  signing: Signing,
  lifetimes: Lifetimes,
  { session, origin, epoch, learner }: Holder,
  life: number,
  now: number,
): Promise<Credentials> {
  const at = secondsOf(now)
  const until = Math.min(at + lifetimes.token, life)
  const claims = { ori: origin, ep: epoch, life, ...(learner !== undefined && { lrn: learner }) }
  const [token, ticket] = await Promise.all([
    sign(signing, 'token', { session, claims, now, until }),
    sign(signing, 'ticket', { session, claims: { ori: origin, ep: epoch }, now, until }),
  ])
  return { token, ticket, lastsMs: (until - at) * 1000 }
}
