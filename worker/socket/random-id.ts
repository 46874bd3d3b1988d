import { base64UrlOf } from '../bytes.ts'

/** 128 random bits, 22 characters of base64url. */
export function randomId(): string {
  return base64UrlOf(crypto.getRandomValues(new Uint8Array(16)))
}
