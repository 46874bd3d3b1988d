import { jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import { once } from '../core/once.ts'
import { hmacKey } from '../hmac.ts'
import type { ResultView } from '../wire/run.ts'
import type { TokenKey } from './token-keys.ts'

/**
 * The keys that sign credentials (signed texts that let a client do something), and the deployment for which they sign.
 */
export interface Signing {
  /** The deployment's name: credentials of another deployment are refused. */
  readonly deployment: string
  /** The first key signs; every key verifies. */
  readonly keys: readonly [TokenKey, ...TokenKey[]]
}

/**
 * The fields (in JWT: claims) that each kind of credential contains, in addition to the fields that every credential
 * contains. Times are whole seconds since 1970.
 */
export interface Claims {
  /**
   * A token lets a client take part in a session. `ori` is the origin of the client's page, `life` the time until which
   * the token can be renewed, `ep` how often the session's credentials had been revoked, and `lrn` the id of a verified
   * learner.
   */
  token: { ori: string | null; ep: number; life: number; lrn?: string | undefined }
  /**
   * A ticket lets a request reach the session's Durable Object, and permits nothing else. `ori` and `ep` are as in a
   * token.
   */
  ticket: { ori: string | null; ep: number }
  /** A client stores its key, and exchanges it for a token and a ticket. `ep` and `lrn` are as in a token. */
  key: { ep: number; lrn?: string | undefined }
  /**
   * A run's key lets its holder play the run. `scn` is the run's scenario and `ver` the scenario's version; `lrn` and `knd` are the id and the kind of
   * its learner. The credential's subject is the run's id.
   */
  run: { scn: string; ver?: number | undefined; lrn: string; knd: 'verified' | 'anonymous' }
  /**
   * A class's key gives a teacher access to the class. `scn` is the scenario that the class plays. The credential's
   * subject is the class's id.
   */
  class: { scn: string }
  /** A result says how a run went, and gives access to nothing. The credential's subject is the run's id. */
  result: { res: Omit<ResultView, 'run'> }
}

export type Kind = keyof Claims

/** The claims of a credential that `verify` accepted. */
export type Verified<K extends Kind> = Claims[K] & { readonly session: string; readonly exp: number }

const ALGORITHM = 'HS256'
const ISSUER = 'walkon'

/** For how many seconds an expired credential is still accepted, because the clocks of two machines may differ. */
export const LEEWAY_SECONDS = 5

/** The type in a credential's header. Each kind has its own, so that no credential is accepted as another kind. */
const TYPES: Readonly<Record<Kind, string>> = {
  token: 'walkon-token+jwt',
  ticket: 'walkon-ticket+jwt',
  key: 'walkon-key+jwt',
  run: 'walkon-run+jwt',
  class: 'walkon-class+jwt',
  result: 'walkon-result+jwt',
}

/** The most characters of a credential's encoded claims. A result contains more than the other kinds. */
const MOST_CHARACTERS = { credential: 1_600, result: 3_200 } as const

/** Matches the text of one credential: header, claims and a signature of 43 characters. */
const COMPACT = /^[\w-]{1,400}\.([\w-]{1,3200})\.[\w-]{42}([\w-])$/

/**
 * The characters with which a signature may end. The last character contains four bits of the signature and two more
 * bits. A decoder ignores these two bits, so `verify` requires that they are 0.
 */
const LAST_CHARACTERS = 'AEIMQUYcgkosw048'

/**
 * Signs a credential. Its subject is `session`, which for some kinds is the id of a run or a class.
 *
 * @param now milliseconds since 1970
 * @param until when the credential expires, in seconds since 1970
 */
export async function sign<K extends Kind>(
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
    .sign(await hmacKey(secret))
}

/**
 * Verifies a credential of the given kind for the given session. Returns its claims, or null for any fault, so that all
 * faults look the same ([trust-4]). Never throws.
 *
 * @param session the expected subject. Null accepts every subject: the caller learns from the credential which run or
 *   class it is for
 * @param now milliseconds since 1970
 * @param leeway for how many seconds an expired credential is still accepted
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
    const { payload } = await jwtVerify(text, ({ kid }) => hmacKey(secretOf(keys, kid)), {
      algorithms: [ALGORITHM],
      typ: TYPES[kind],
      issuer: ISSUER,
      audience: deployment,
      ...(session !== null && { subject: session }),
      requiredClaims: ['exp', 'iat', 'nbf', 'jti', 'sub'],
      clockTolerance: leeway,
      currentDate: new Date(now),
    })
    const claims = CLAIMS[kind]().parse(payload)
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
 * Returns true if a text is spelled exactly as `sign` spells a credential. The decoder in `verify` would also accept
 * other spellings.
 */
function isCompact(text: string, kind: Kind): boolean {
  const most = MOST_CHARACTERS[kind === 'result' ? 'result' : 'credential']
  if (text.length > most + 448) return false
  const [, claims = '', last] = COMPACT.exec(text) ?? []
  return last !== undefined && claims.length <= most && LAST_CHARACTERS.includes(last)
}

/**
 * Returns the secret of the deployment's key that a credential's header names.
 *
 * @throws Error if the deployment has no key of that name
 */
function secretOf(keys: readonly TokenKey[], kid: string | undefined): Uint8Array {
  const found = keys.find((key) => key.kid === kid)
  if (found === undefined) throw new Error('signed with a key that is not ours')
  return found.secret
}

const whole = () => z.int().min(0)
const origin = () => z.string().max(300).nullable()
const learner = () => z.string().max(128).optional()

const CLAIMS: { readonly [K in Kind]: () => z.ZodType<Claims[K]> } = {
  token: once(() => z.object({ ori: origin(), ep: whole(), life: whole(), lrn: learner() })),
  ticket: once(() => z.object({ ori: origin(), ep: whole() })),
  key: once(() => z.object({ ep: whole(), lrn: learner() })),
  run: once(() =>
    z.object({
      scn: z.string().max(64),
      // A key that was issued before this field existed lacks it.
      ver: whole().optional(),
      lrn: z.string().min(1).max(128),
      knd: z.enum(['verified', 'anonymous']),
    }),
  ),
  class: once(() => z.object({ scn: z.string().max(64) })),
  result: once(() =>
    z.object({
      res: z.object({
        scenario: z.string().max(64),
        title: z.string(),
        version: z.number(),
        nickname: z.string().nullable(),
        class: z.string().nullable(),
        // A result that was signed before this field existed lacks it, and stays valid.
        again: z.boolean().default(false),
        option: z.string().max(64),
        optionTitle: z.string(),
        verdict: z.enum(['right', 'defensible', 'wrong']),
        facts: z.object({ deciding: whole(), heard: whole(), cited: whole() }),
        objectives: z.object({ met: whole(), of: whole() }),
        startedAt: z.number(),
        decidedAt: z.number(),
      }),
    }),
  ),
}
