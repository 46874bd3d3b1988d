import { base64UrlOf } from '../../bytes.ts'

/** Number of random bytes in a token: 256 bits. */
const SECRET_BYTES = 32

const TOKEN = /^(wkn_[\w-]{43})([\w-]{6})$/

/**
 * Makes a new token: `wkn_`, 32 random bytes and a checksum of four bytes, in base64url. Scanners for leaked secrets
 * find a token by its prefix and verify the token by its checksum.
 */
export function newTokenText(): string {
  return withChecksum(`wkn_${base64UrlOf(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`)
}

/** Returns true if a text has the form of a token. Only such texts are looked up in the database. */
export function isTokenText(text: string): boolean {
  const [, start] = TOKEN.exec(text) ?? []
  return start !== undefined && withChecksum(start) === text
}

/** Returns the stored form of a token: its SHA-256. A random token cannot be guessed, so the hash need not be slow. */
export async function hashOfToken(text: string): Promise<string> {
  return base64UrlOf(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

/**
 * The token of a deployment without `WALKON_TOKEN_KEYS`, for development on one machine. Everybody knows this token, so
 * such a deployment serves only local requests ([trust-9]).
 */
export const DEVELOPMENT_TOKEN = withChecksum('wkn_development-token-known-to-everybody-000000')

function withChecksum(start: string): string {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, crc32(start))
  return start + base64UrlOf(bytes)
}

/** Returns the CRC-32 (ISO-HDLC) of a text. It is calculated bit by bit, because 47 characters do not need a table. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
