import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import * as z from 'zod'
import { once } from '../core/once.ts'
import { LEEWAY_SECONDS } from './credential.ts'
import { isHmacHex } from './hmac.ts'
import type { HostKeys } from './identity-config.ts'
import { USER_NAME } from './learner.ts'

/**
 * How a host's server proves who its learners are, and whether a proof is required ([trust-12]). A host is a website
 * that embeds the widget.
 */
export interface IdentityConfig {
  readonly mode: 'off' | 'optional' | 'required'
  readonly jwt: { readonly keys: HostKeys; readonly issuer?: string; readonly audience?: string } | null
  /** The secret for hosts that prove a learner's id by an HMAC instead of a signed token (`jwt`). */
  readonly secret: string | null
}

/**
 * The result of checking who the learner is. `user` is the host's own id for the learner; null if the request has no
 * proof and needs none.
 */
export type Identified = { readonly ok: true; readonly user: string | null } | { readonly ok: false }

const user = once(() =>
  z
    .string()
    .min(1)
    .max(200)
    .regex(USER_NAME)
    // The API uses the learner's name in URLs, which cannot contain unpaired surrogates or NUL.
    .refine((name) => name.isWellFormed() && !name.includes('\0')),
)
const jwtSchema = once(() => z.strictObject({ jwt: z.string().min(1).max(4096) }))
const hmacSchema = once(() => z.strictObject({ user: user(), hash: z.string().max(200) }))

/**
 * Checks a request's proof of who the learner is. With `mode: 'off'` no proof is read. Otherwise a wrong proof is
 * refused, even if none is required, so that a mistake in a host's page is noticed ([trust-13]).
 *
 * @param identity the request's proof; undefined or null if the request has none
 * @param now milliseconds since 1970
 */
export async function identify(config: IdentityConfig, identity: unknown, now: number): Promise<Identified> {
  if (config.mode === 'off') return NOBODY
  if (identity === undefined || identity === null) return config.mode === 'required' ? REFUSED : NOBODY
  const token = jwtSchema().safeParse(identity)
  if (token.success) return byToken(config.jwt, token.data.jwt, now)
  const code = hmacSchema().safeParse(identity)
  if (code.success) return byCode(config.secret, code.data)
  return REFUSED
}

const NOBODY: Identified = { ok: true, user: null }
const REFUSED: Identified = { ok: false }

/**
 * Header fields in which a token could bring a key of its own, or the address of one. A token with such a field is
 * refused.
 */
const KEYS_BROUGHT_ALONG = ['jku', 'jwk', 'x5u', 'x5c', 'x5t', 'x5t#S256'] as const

/** Verifies a token of the host. The token's header must name the algorithm of the configured key. */
async function byToken(config: IdentityConfig['jwt'], token: string, now: number): Promise<Identified> {
  if (config === null) return REFUSED
  try {
    const header = decodeProtectedHeader(token)
    if (KEYS_BROUGHT_ALONG.some((name) => name in header)) return REFUSED
    const key = keyFor(config.keys, header.kid)
    if (key === undefined) return REFUSED
    const { payload } = await jwtVerify(token, await importJWK(key, key.alg), {
      algorithms: [key.alg],
      requiredClaims: ['exp', 'sub'],
      clockTolerance: LEEWAY_SECONDS,
      currentDate: new Date(now),
      ...(config.issuer !== undefined && { issuer: config.issuer }),
      ...(config.audience !== undefined && { audience: config.audience }),
    })
    const named = user().safeParse(payload.sub)
    return named.success ? { ok: true, user: named.data } : REFUSED
  } catch {
    return REFUSED
  }
}

/**
 * Returns the host's key that a token names by its `kid`. If the host has only one key, the key or the token may lack a
 * `kid`.
 */
function keyFor(keys: HostKeys, kid: string | undefined): HostKeys[number] | undefined {
  const [only] = keys
  if (keys.length === 1 && (kid === undefined || only?.kid === undefined)) return only
  return kid === undefined ? undefined : keys.find((key) => key.kid === kid)
}

async function byCode(secret: string | null, claimed: { user: string; hash: string }): Promise<Identified> {
  if (secret === null || !(await isHmacHex(secret, claimed.user, claimed.hash))) return REFUSED
  return { ok: true, user: claimed.user }
}
