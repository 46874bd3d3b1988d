/** 128 random bits in hexadecimal. `crypto.randomUUID` is missing on pages without https; this is not. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
