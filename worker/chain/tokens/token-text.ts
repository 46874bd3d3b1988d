import { base64UrlOf } from '../../bytes.ts'

/** 256 bits drawn by chance. */
const SECRET_BYTES = 32

const TOKEN = /^(wkn_[\w-]{43})([\w-]{6})$/

/**
 * A new token: `wkn_`, 32 random bytes and a checksum of four, as base64url. Scanners for leaked secrets find it by what it
 * begins with, and tell it from what only looks so by the checksum.
 */
export function newTokenText(): string {
  return withChecksum(`wkn_${base64UrlOf(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`)
}

/** Whether a text can be a token at all, which is asked before anything is looked up. */
export function isTokenText(text: string): boolean {
  const [, start] = TOKEN.exec(text) ?? []
  return start !== undefined && withChecksum(start) === text
}

/** What is stored of a token: its SHA-256. A token is no password: there is nothing to guess, and so nothing to slow down. */
export async function hashOfToken(text: string): Promise<string> {
  return base64UrlOf(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

/**
 * For a deployment on one machine that was told no key: everybody knows it, so it opens the deployment's own chain only
 * where nobody from outside comes ([trust-9]).
 */
export const DEVELOPMENT_TOKEN = withChecksum('wkn_development-token-known-to-everybody-000000')

function withChecksum(start: string): string {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, crc32(start))
  return start + base64UrlOf(bytes)
}

/** CRC-32 as in ISO-HDLC, bit by bit: 47 characters are too few for a table to be worth it. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
