const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' } as const

/** Returns the HMAC-SHA256 of a text: 32 bytes. */
export async function codeOf(secret: Uint8Array, text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign(ALGORITHM, await hmacKey(secret), new TextEncoder().encode(text)))
}

/** Returns true if `code` is the HMAC-SHA256 of a text. The time that the check takes does not reveal the HMAC. */
export async function isCodeOf(secret: Uint8Array, text: string, code: Uint8Array): Promise<boolean> {
  return crypto.subtle.verify(ALGORITHM, await hmacKey(secret), code, new TextEncoder().encode(text))
}

/** The keys that this isolate has imported, by the object with their bytes. */
const keys = new WeakMap<Uint8Array, CryptoKey>()

/** Returns the key of a secret. An isolate imports the same object once, so its bytes must not change. */
export async function hmacKey(secret: Uint8Array): Promise<CryptoKey> {
  const known = keys.get(secret)
  if (known) return known
  const key = await crypto.subtle.importKey('raw', secret, ALGORITHM, false, ['sign', 'verify'])
  keys.set(secret, key)
  return key
}
