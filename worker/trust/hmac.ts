const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' } as const

/** HMAC-SHA256 of a text under a secret, as hexadecimal. */
export async function hmacHex(secret: string, text: string): Promise<string> {
  const code = await crypto.subtle.sign(ALGORITHM, await keyOf(secret), new TextEncoder().encode(text))
  return Array.from(new Uint8Array(code), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether `hex` is that HMAC, in constant time. Anything but 64 hexadecimal digits is not. */
export async function isHmacHex(secret: string, text: string, hex: string): Promise<boolean> {
  const pairs = /^(?:[0-9a-f]{2}){32}$/i.test(hex) ? hex.match(/../g) : null
  if (pairs === null) return false
  const code = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
  return crypto.subtle.verify(ALGORITHM, await keyOf(secret), code, new TextEncoder().encode(text))
}

function keyOf(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), ALGORITHM, false, ['sign', 'verify'])
}
