/**
 * Writes one structured line. Ids and names of errors only: never what anyone said, never a key. The caller
 * must see to that; text that looks like a secret is replaced all the same ([trust-21]).
 */
export function log(event: string, ids: Readonly<Record<string, string | number | null>>): void {
  const safe = Object.entries(ids).map(([name, value]) => [
    name,
    typeof value === 'string' ? redact(name, value) : value,
  ])
  console.log(JSON.stringify({ event, ...Object.fromEntries(safe) }))
}

/** Names the class of a thrown error. The message stays out of the log. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}

const REDACTED = '[redacted]'

/** The ids that are as long as a secret: how the platform writes an object's, which a session is called by, and [outbox-4]'s. */
const LONG_IDS: Readonly<Record<string, RegExp>> = { session: /^[0-9a-f]{64}$/, message: /^evt_[0-9a-f]{32}$/ }

/** So long without a blank is no name of anything here, but what every credential and every good secret looks like. */
const SECRET_LIKE = /\S{32,}/g

/** What secrets of others begin with, whatever follows. */
const PREFIXED = /\b(?:Bearer\s+|whsec_|sk-)\S+/g

/** No sentence that is logged is longer: these are the settings' problems. */
const LONGEST = 4_000

function redact(name: string, value: string): string {
  const id = Object.hasOwn(LONG_IDS, name) ? LONG_IDS[name] : undefined
  if (id !== undefined) return id.test(value) ? value : REDACTED
  return value.slice(0, LONGEST).replaceAll(PREFIXED, REDACTED).replaceAll(SECRET_LIKE, REDACTED)
}
