/** Bytes as hexadecimal, in small letters. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Bytes as base64, with padding. */
export function base64Of(bytes: Uint8Array): string {
  // Not in one call with all bytes as arguments: there may be more of them than a call may have.
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Bytes as base64url, without padding. */
export function base64UrlOf(bytes: Uint8Array): string {
  return base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** 128 random bits, 22 characters of base64url. */
export function randomId(): string {
  return base64UrlOf(crypto.getRandomValues(new Uint8Array(16)))
}
