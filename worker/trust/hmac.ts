import { hexOf } from '../bytes.ts'
import { codeOf, isCodeOf } from '../hmac.ts'
import { LastUsed } from '../last-used.ts'

/** The most secrets whose bytes an isolate keeps. A deployment has a handful. */
const MOST_SECRETS = 16

const secrets = new LastUsed<Uint8Array>(MOST_SECRETS)

/** Returns the bytes of a secret: for the same text the same object, so that its key is imported once. */
function bytesOf(secret: string): Uint8Array {
  const bytes = secrets.get(secret) ?? new TextEncoder().encode(secret)
  secrets.put(secret, bytes)
  return bytes
}

/** Returns the HMAC-SHA256 of a text under a secret, as hexadecimal. */
export async function hmacHex(secret: string, text: string): Promise<string> {
  return hexOf(await codeOf(bytesOf(secret), text))
}

/**
 * Returns true if `hex` is the HMAC-SHA256 of a text under a secret, as 64 hexadecimal digits. The time that the check
 * takes does not reveal the HMAC.
 */
export async function isHmacHex(secret: string, text: string, hex: string): Promise<boolean> {
  const pairs = /^(?:[0-9a-f]{2}){32}$/i.test(hex) ? hex.match(/../g) : null
  if (pairs === null) return false
  const code = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
  return isCodeOf(bytesOf(secret), text, code)
}

/**
 * Returns true if two texts are equal. The time that the comparison takes reveals nothing about them: it compares the
 * texts' HMACs under a random key.
 */
export async function sameText(a: string, b: string): Promise<boolean> {
  const moment = crypto.getRandomValues(new Uint8Array(32))
  return isCodeOf(moment, b, await codeOf(moment, a))
}
