import { jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import type { ResultView } from '../wire/run.ts'
import type { TokenKey } from './token-keys.ts'

/** The keys that sign credentials, and the deployment for which they sign. */
export interface Signing {
  /** The deployment's name: credentials of another deployment are refused. */
  readonly deployment: string
  /** The first key signs; every key verifies. */
  readonly keys: readonly [TokenKey, ...TokenKey[]]
}

/**
 * The claims of each kind of credential, in addition to the claims that every credential has. Times are whole seconds
 * since 1970.
 */
export interface Claims {
  /**
   * A token lets a client take part in a session. `ori` is the origin of the client's page, `life` the time until which
   * the token can be renewed, `ep` the session's revocation epoch.
   */
  token: { ori: string | null; ep: number; life: number; lrn?: string | undefined }
  /**
   * A ticket lets a request reach the session's Durable Object, and permits nothing else. `ori` is the origin of the
   * client's page, `ep` the session's revocation epoch.
   */
  ticket: { ori: string | null; ep: number }
  /**
   * A key is exchanged for a token and a ticket. `lrn` is the verified learner to whom the key belongs; the key of an
   * anonymous learner has no `lrn`.
   */
  key: { ep: number; lrn?: string | undefined }
  /**
   * A run's key lets its holder begin conversations in the run. The run's id is the subject. `scn` is the run's
   * scenario, `lrn` and `knd` are the id and the kind of its learner.
   */
  run: { scn: string; lrn: string; knd: 'verified' | 'anonymous' }
  /**
   * A class's key gives a teacher access to the class. The class's id is the subject. `scn` is the scenario that the
   * class plays.
   */
  class: { scn: string }
  /** A result states how a run went. The run's id is the subject. A result gives access to nothing. */
  result: { res: Omit<ResultView, 'run'> }
}

export type Kind = keyof Claims

/** The claims of a credential that `verify` accepted. */
export type Verified<K extends Kind> = Claims[K] & { readonly session: string; readonly exp: number }

const ALGORITHM = 'HS256'
const ISSUER = 'walkon'

/** How far the clocks of two machines may differ, in seconds. */
export const LEEWAY_SECONDS = 5

/** Each kind has a JWT type of its own, so that no credential is accepted as another kind. */
const TYPES: Readonly<Record<Kind, string>> = {
  token: 'walkon-token+jwt',
  ticket: 'walkon-ticket+jwt',
  key: 'walkon-key+jwt',
  run: 'walkon-run+jwt',
  class: 'walkon-class+jwt',
  result: 'walkon-result+jwt',
}

/** The most characters of a credential's claims. A result contains more than a credential that gives access. */
const MOST_CHARACTERS = { credential: 1_600, result: 3_200 } as const

/** Matches the text of one JWS. Its signature of 32 bytes has 43 characters. */
const COMPACT = /^[\w-]{1,400}\.([\w-]{1,3200})\.[\w-]{42}([\w-])$/

/**
 * The characters with which a signature may end. The last character carries four bits of the signature. A decoder
 * ignores the character's two lowest bits, so these bits must be 0.
 */
const LAST_CHARACTERS = 'AEIMQUYcgkosw048'

/**
 * Signs a credential for a session.
 *
 * @param now milliseconds since 1970
 * @param until when the credential expires, in seconds since 1970
 */
export function sign<K extends Kind>(
  { deployment, keys }: Signing,
  kind: K,
  { session, claims, now, until }: { session: string; claims: Claims[K]; now: number; until: number },
): Promise<string> {
  const [{ kid, secret }] = keys
  const at = secondsOf(now)
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPES[kind], kid })
    .setIssuer(ISSUER)
    .setAudience(deployment)
    .setSubject(session)
    .setJti(crypto.randomUUID())
    .setIssuedAt(at)
    .setNotBefore(at)
    .setExpirationTime(until)
    .sign(secret)
}

/**
 * Verifies a credential of the given kind for the given session. Returns its claims, or null for any fault, so that all
 * faults look the same ([trust-4]). Never throws.
 *
 * @param session the expected subject; null to accept any subject, for credentials that themselves name their run or
 *   class
 * @param now milliseconds since 1970
 * @param leeway for how many seconds after its expiry the credential is still accepted
 */
export async function verify<K extends Kind>(
  { deployment, keys }: Signing,
  kind: K,
  {
    text,
    session,
    now,
    leeway = LEEWAY_SECONDS,
  }: { text: string; session: string | null; now: number; leeway?: number },
): Promise<Verified<K> | null> {
  if (!isCompact(text, kind)) return null
  try {
    const { payload } = await jwtVerify(text, ({ kid }) => secretOf(keys, kid), {
      algorithms: [ALGORITHM],
      typ: TYPES[kind],
      issuer: ISSUER,
      audience: deployment,
      ...(session !== null && { subject: session }),
      requiredClaims: ['exp', 'iat', 'nbf', 'jti', 'sub'],
      clockTolerance: leeway,
      currentDate: new Date(now),
    })
    const claims = CLAIMS[kind].parse(payload)
    if (typeof payload.sub !== 'string') return null
    return { ...claims, session: payload.sub, exp: payload.exp } as Verified<K>
  } catch {
    return null
  }
}

/** Converts milliseconds to whole seconds, the unit of all times in credentials. */
export function secondsOf(ms: number): number {
  return Math.floor(ms / 1000)
}

/**
 * Returns true if a text is spelled exactly as `sign` spells a credential. A decoder of base64url would also accept
 * other spellings of the same credential.
 */
function isCompact(text: string, kind: Kind): boolean {
  const most = MOST_CHARACTERS[kind === 'result' ? 'result' : 'credential']
  if (text.length > most + 448) return false
  const [, claims = '', last] = COMPACT.exec(text) ?? []
  return last !== undefined && claims.length <= most && LAST_CHARACTERS.includes(last)
}

/**
 * Returns the secret of the deployment's key that a credential's header names. A header cannot supply a key of its own.
 *
 * @throws Error if the deployment has no key of that name
 */
function secretOf(keys: readonly TokenKey[], kid: string | undefined): Uint8Array {
  const found = keys.find((key) => key.kid === kid)
  if (found === undefined) throw new Error('signed with a key that is not ours')
  return found.secret
}

const whole = z.int().min(0)
const origin = z.string().max(300).nullable()
const learner = z.string().max(128).optional()

const CLAIMS: { readonly [K in Kind]: z.ZodType<Claims[K]> } = {
  token: z.object({ ori: origin, ep: whole, life: whole, lrn: learner }),
  ticket: z.object({ ori: origin, ep: whole }),
  key: z.object({ ep: whole, lrn: learner }),
  run: z.object({
    scn: z.string().max(64),
    lrn: z.string().min(1).max(128),
    knd: z.enum(['verified', 'anonymous']),
  }),
  class: z.object({ scn: z.string().max(64) }),
  result: z.object({
    res: z.object({
      scenario: z.string().max(64),
      title: z.string(),
      version: z.number(),
      nickname: z.string().nullable(),
      class: z.string().nullable(),
      // The default keeps results valid that were signed before this field existed.
      again: z.boolean().default(false),
      option: z.string().max(64),
      optionTitle: z.string(),
      verdict: z.enum(['right', 'defensible', 'wrong']),
      facts: z.object({ deciding: whole, heard: whole, cited: whole }),
      objectives: z.object({ met: whole, of: whole }),
      startedAt: z.number(),
      decidedAt: z.number(),
    }),
  }),
}
