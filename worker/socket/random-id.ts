/** 128 random bits, 22 characters of base64url. */
export function randomId(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(16)))
}

/** Bytes as base64url, without padding. */
export function base64url(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
