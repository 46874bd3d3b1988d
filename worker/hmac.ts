const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' } as const

/** Returns the HMAC-SHA256 of a text: 32 bytes. */
export async function codeOf(secret: Uint8Array, text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign(ALGORITHM, await keyOf(secret), new TextEncoder().encode(text)))
}

/** Returns true if `code` is the HMAC-SHA256 of a text. The time that the check takes does not reveal the HMAC. */
export async function isCodeOf(secret: Uint8Array, text: string, code: Uint8Array): Promise<boolean> {
  return crypto.subtle.verify(ALGORITHM, await keyOf(secret), code, new TextEncoder().encode(text))
}

function keyOf(secret: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, ALGORITHM, false, ['sign', 'verify'])
}
