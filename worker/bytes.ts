/** Returns bytes as hexadecimal, in lower case. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns bytes as base64, with padding. */
export function base64Of(bytes: Uint8Array): string {
  // `fromCharCode` gets one byte at a time, because a call with all bytes might have more arguments than the runtime
  // allows.
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Returns bytes as base64url, without padding. */
export function base64UrlOf(bytes: Uint8Array): string {
  return base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Returns 128 random bits as 22 characters of base64url. */
export function randomId(): string {
  return base64UrlOf(crypto.getRandomValues(new Uint8Array(16)))
}
