import { hexOf } from '../bytes.ts'

/** Hexadecimal digits of the digest that are kept: 128 bits. */
const LENGTH = 32

/**
 * The id that something goes out under ([outbox-4]): the same over all attempts, different for everything else that any
 * conversation sends. A digest, because a session's id says whose conversation it is and receivers log this header; and
 * because the signature joins id, time and body by full stops, so the id must hold none.
 */
export async function messageIdOf(session: string, effect: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${session}\n${effect}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `evt_${hexOf(digest).slice(0, LENGTH)}`
}
