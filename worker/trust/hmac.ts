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
