/** A secret that signs credentials. Every credential names, by `kid`, the key that signed it. */
export interface TokenKey {
  readonly kid: string
  readonly secret: Uint8Array
}

/**
 * The keys of a deployment. The first key signs; every key verifies. `isDevelopment` is true if the keys are public and
 * protect nothing.
 */
export interface TokenKeys {
  readonly isDevelopment: boolean
  readonly keys: readonly [TokenKey, ...TokenKey[]]
}

const LEAST_BYTES = 32
const MOST_KEYS = 8

/**
 * The key of a deployment without a key of its own, for development on one machine. The key is public, so with it the
 * Worker serves only requests to this machine or a private network ([trust-9]).
 */
export const DEVELOPMENT_KEYS: TokenKeys = {
  isDevelopment: true,
  keys: [{ kid: 'development', secret: new TextEncoder().encode('walkon development key, known to everybody') }],
}

/** The keys, or the problem with the setting. */
export type ReadKeys =
  | { readonly ok: true; readonly keys: TokenKeys }
  | { readonly ok: false; readonly problem: string }

/**
 * Reads `WALKON_TOKEN_KEYS`: `kid:base64url` separated by spaces, each key of 32 bytes or more, the newest key first
 * ([trust-10]).
 */
export function readTokenKeys(text: string): ReadKeys {
  const entries = text.split(/\s+/)
  const keys = entries.map(readKey)
  const kids = new Set(keys.map((key) => key?.kid))
  const [first, ...others] = keys.filter((key) => key !== null)
  if (first === undefined || others.length + 1 !== entries.length || entries.length > MOST_KEYS)
    return bad(
      `must be up to ${MOST_KEYS} of name:key, separated by spaces, each key ${LEAST_BYTES} bytes as base64url`,
    )
  if (kids.size !== entries.length) return bad('must not give two keys one name')
  if ([first, ...others].some(({ secret }) => isWeakBytes(secret) || isDevelopmentKey(secret)))
    return bad('holds a key that can be guessed: take the output of `openssl rand -base64 32 | tr "+/" "-_"`')
  return { ok: true, keys: { isDevelopment: false, keys: [first, ...others] } }
}

function readKey(entry: string): TokenKey | null {
  const [, kid, encoded] = /^([\w-]{1,32}):([\w-]+)={0,2}$/.exec(entry) ?? []
  if (kid === undefined || encoded === undefined || encoded.length % 4 === 1) return null
  const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
  const secret = Uint8Array.from(binary, (char) => char.charCodeAt(0))
  return secret.length < LEAST_BYTES ? null : { kid, secret }
}

function isDevelopmentKey(secret: Uint8Array): boolean {
  return DEVELOPMENT_KEYS.keys.some((key) => String(key.secret) === String(secret))
}

function bad(problem: string): ReadKeys {
  return { ok: false, problem }
}

/** The fewest characters that a secret in the settings may have. */
export const LEAST_CHARACTERS = 32

/**
 * The fewest different characters that a secret may have. 32 random characters practically always contain more, even if
 * only 16 different characters (hexadecimal digits) are possible.
 */
const LEAST_DIFFERENT = 8

/** Matches placeholders that people write instead of a secret. */
const DUMMIES =
  /change[\W_]*me|secret|passw(?:or)?d|example|placeholder|dummy|default|insert|walkon|test[\W_]*(?:key|ing)|lorem|qwert|abcdef|012345|12345678|<|>/i

/**
 * Returns true if a secret text can be guessed: it is too short, has few different characters, repeats itself or
 * contains a placeholder.
 */
export function isWeakText(secret: string): boolean {
  return secret.length < LEAST_CHARACTERS || DUMMIES.test(secret) || isMonotonous(secret.split(''))
}

/**
 * Returns true if secret bytes can be guessed: they have few different values, repeat themselves, rise by the same step
 * or spell a placeholder.
 */
export function isWeakBytes(secret: Uint8Array): boolean {
  if (isMonotonous([...secret])) return true
  if (isRising(secret)) return true
  const isLetters = secret.every((byte) => byte >= 0x20 && byte < 0x7f)
  return isLetters && DUMMIES.test(String.fromCharCode(...secret))
}

function isMonotonous(parts: readonly (string | number)[]): boolean {
  return new Set(parts).size < LEAST_DIFFERENT || isRepeated(parts)
}

/** Returns true if a list repeats one piece, which fits into the list at least twice. */
function isRepeated(parts: readonly (string | number)[]): boolean {
  const most = Math.floor(parts.length / 2)
  for (let period = 1; period <= most; period++) {
    if (parts.every((part, i) => part === parts[i % period])) return true
  }
  return false
}

function isRising(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  const step = second - first
  return bytes.every((byte, i) => byte === ((first + i * step) & 0xff))
}
