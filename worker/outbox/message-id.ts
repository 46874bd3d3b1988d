/** Hexadecimal digits of the digest that are kept: 128 bits. */
const LENGTH = 32

/**
 * The id that something goes out under ([O4]): the same over all attempts, different for everything else that any
 * conversation sends. A digest, because a session's id lets its bearer take part and receivers log this header; and
 * because the signature joins id, time and body by full stops, so the id must hold none.
 */
export async function messageIdOf(session: string, effect: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${session}\n${effect}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `evt_${hex.slice(0, LENGTH)}`
}
