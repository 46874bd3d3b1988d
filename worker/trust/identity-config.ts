import * as z from 'zod'
import { once } from '../core/once.ts'
import type { IdentityConfig } from './identity.ts'
import { isWeakBytes, isWeakText, LEAST_CHARACTERS } from './token-keys.ts'

/** The identity settings from the environment. */
export interface IdentitySettings {
  readonly WALKON_IDENTITY?: 'off' | 'optional' | 'required' | undefined
  readonly WALKON_IDENTITY_KEYS?: string | undefined
  readonly WALKON_IDENTITY_ISSUER?: string | undefined
  readonly WALKON_IDENTITY_AUDIENCE?: string | undefined
  readonly WALKON_IDENTITY_SECRET?: string | undefined
}

export type HostKeys = readonly z.infer<ReturnType<typeof hostKeys>>[number][]

/** The smallest RSA modulus that is accepted for RS256, in bits. */
const LEAST_RSA_BITS = 2048
const MOST_KEYS = 16

/**
 * Reads the settings by which learners prove who they are. Returns the configuration, and one message for every
 * problem. No message contains a setting's value.
 */
export function readIdentity(settings: IdentitySettings): { config: IdentityConfig; problems: readonly string[] } {
  const { WALKON_IDENTITY: chosen, WALKON_IDENTITY_KEYS: keys, WALKON_IDENTITY_SECRET: secret } = settings
  const mode = chosen ?? 'off'
  const read = keys === undefined ? { keys: null, problems: [] } : readHostKeys(keys)
  const problems = [
    ...read.problems,
    ...(secret !== undefined && isWeakText(secret)
      ? [`WALKON_IDENTITY_SECRET can be guessed: it has to be ${LEAST_CHARACTERS} characters or more, drawn by chance`]
      : []),
    ...(mode !== 'off' && keys === undefined && secret === undefined
      ? [
          'WALKON_IDENTITY asks for learners to be vouched for: WALKON_IDENTITY_KEYS or WALKON_IDENTITY_SECRET is missing',
        ]
      : []),
    ...(chosen === undefined && (keys !== undefined || secret !== undefined)
      ? ['WALKON_IDENTITY is missing: without it nobody is asked for what the other WALKON_IDENTITY settings prove']
      : []),
  ]
  return { config: { mode, jwt: read.keys && jwtOf(read.keys, settings), secret: secret ?? null }, problems }
}

function jwtOf(
  keys: HostKeys,
  { WALKON_IDENTITY_ISSUER: issuer, WALKON_IDENTITY_AUDIENCE: audience }: IdentitySettings,
) {
  return { keys, ...(issuer !== undefined && { issuer }), ...(audience !== undefined && { audience }) }
}

/**
 * The schema of the keys (JWKs) with which a host proves who its learners are. The Worker uses a key only with the
 * algorithm in the key's `alg`. A key whose type or curve does not fit that algorithm is refused.
 */
const hostKeys = once(() => {
  const base64url = z.string().regex(/^[\w-]+$/)
  const kid = z.string().min(1).max(200).exactOptional()
  return z.array(
    z.discriminatedUnion('alg', [
      z.object({ alg: z.literal('EdDSA'), kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: base64url, kid }),
      z.object({
        alg: z.literal('ES256'),
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: base64url,
        y: base64url,
        kid,
      }),
      z.object({
        alg: z.literal('RS256'),
        kty: z.literal('RSA'),
        n: base64url.refine((n) => (n.length * 3) / 4 >= LEAST_RSA_BITS / 8),
        e: base64url,
        kid,
      }),
      z.object({ alg: z.literal('HS256'), kty: z.literal('oct'), k: base64url.refine(isStrong), kid }),
    ]),
  )
})

const keySet = once(() => z.object({ keys: z.array(z.looseObject({})).min(1).max(MOST_KEYS) }))

function readHostKeys(text: string): { keys: HostKeys | null; problems: readonly string[] } {
  const set = keySet().safeParse(parse(text))
  if (!set.success) return unread('must be a JWK set: {"keys":[…]}')
  if (set.data.keys.some((key) => 'd' in key))
    return unread('holds a private key: the host keeps it, and gives the public one')
  const keys = hostKeys().safeParse(set.data.keys)
  if (!keys.success)
    return unread(
      'holds a key that is none of EdDSA (Ed25519), ES256, RS256 (2048 bits or more) and HS256 (32 bytes or more), or that does not say which in alg',
    )
  if (new Set(keys.data.map((key) => key.kid)).size !== keys.data.length)
    return unread('must give every key a kid of its own')
  return { keys: keys.data, problems: [] }
}

function unread(what: string) {
  return { keys: null, problems: [`WALKON_IDENTITY_KEYS ${what}`] }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isStrong(k: string): boolean {
  if (k.length % 4 === 1) return false
  const bytes = Uint8Array.from(atob(k.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  return bytes.length >= 32 && !isWeakBytes(bytes)
}
