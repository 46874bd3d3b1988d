/**
 * Returns 128 random bits in hexadecimal. Uses `getRandomValues`, because pages without https have no
 * `crypto.randomUUID`.
 */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
