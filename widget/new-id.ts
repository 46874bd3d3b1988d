/**
 * Returns 128 random bits in hexadecimal. Pages without https have no `crypto.randomUUID`, but they have
 * `getRandomValues`.
 */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
