import { hexOf } from './bytes.ts'

/** Returns the SHA-256 of a text, in hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}
