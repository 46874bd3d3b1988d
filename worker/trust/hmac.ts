import { hexOf } from '../bytes.ts'
import { codeOf, isCodeOf } from '../hmac.ts'

/** HMAC-SHA256 of a text under a secret, as hexadecimal. */
export async function hmacHex(secret: string, text: string): Promise<string> {
  return hexOf(await codeOf(new TextEncoder().encode(secret), text))
}

/** Whether `hex` is that HMAC, in constant time. Anything but 64 hexadecimal digits is not. */
export async function isHmacHex(secret: string, text: string, hex: string): Promise<boolean> {
  const pairs = /^(?:[0-9a-f]{2}){32}$/i.test(hex) ? hex.match(/../g) : null
  if (pairs === null) return false
  const code = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
  return isCodeOf(new TextEncoder().encode(secret), text, code)
}

/**
 * Whether two texts are the same, in a time that tells nothing of where they differ or of how long the other is: what is
 * compared are their codes under a key of the moment.
 */
export async function sameText(a: string, b: string): Promise<boolean> {
  const moment = crypto.getRandomValues(new Uint8Array(32))
  return isCodeOf(moment, b, await codeOf(moment, a))
}
