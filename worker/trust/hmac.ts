import { hexOf } from '../bytes.ts'
import { codeOf, isCodeOf } from '../hmac.ts'

/** Returns the HMAC-SHA256 of a text under a secret, as hexadecimal. */
export async function hmacHex(secret: string, text: string): Promise<string> {
  return hexOf(await codeOf(new TextEncoder().encode(secret), text))
}

/** Checks in constant time that `hex` is the HMAC of a text. Returns false for anything but 64 hexadecimal digits. */
export async function isHmacHex(secret: string, text: string, hex: string): Promise<boolean> {
  const pairs = /^(?:[0-9a-f]{2}){32}$/i.test(hex) ? hex.match(/../g) : null
  if (pairs === null) return false
  const code = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
  return isCodeOf(new TextEncoder().encode(secret), text, code)
}

/**
 * Compares two texts in a time that reveals neither where they differ nor how long they are: it compares the texts'
 * HMACs under a random key.
 */
export async function sameText(a: string, b: string): Promise<boolean> {
  const moment = crypto.getRandomValues(new Uint8Array(32))
  return isCodeOf(moment, b, await codeOf(moment, a))
}
