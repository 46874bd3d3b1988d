/**
 * Writes one line of JSON to the log. The caller must pass only ids, numbers and names, never the text of a
 * conversation and never a key. In case a caller passes a key by mistake, this function also replaces every text that
 * looks like a secret ([trust-21]).
 */
export function log(event: string, ids: Readonly<Record<string, string | number | null>>): void {
  const safe = Object.entries(ids).map(([name, value]) => [
    name,
    typeof value === 'string' ? redact(name, value) : value,
  ])
  console.log(JSON.stringify({ event, ...Object.fromEntries(safe) }))
}

/**
 * Returns the name of a thrown error's class, for the log. An error's message may contain private text, so it is not
 * logged.
 */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}

const REDACTED = '[redacted]'

/**
 * Ids that a log line may show although they are as long as secrets: the id of a session, the id of a message to
 * another system ([outbox-4]), and the hash of a content ([version-21]).
 */
const LONG_IDS: Readonly<Record<string, RegExp>> = {
  session: /^[0-9a-f]{64}$/,
  message: /^evt_[0-9a-f]{32}$/,
  hash: /^[0-9a-f]{64}$/,
}

/** Matches 32 or more characters without a blank, because every credential is that long and no logged name is. */
const SECRET_LIKE = /\S{32,}/g

/** Matches secrets by their prefix, also shorter ones: bearer tokens, webhook secrets and OpenAI keys. */
const PREFIXED = /\b(?:Bearer\s+|whsec_|sk-)\S+/g

/** The most characters of a logged text. The longest logged texts are lists of the problems with the settings. */
const LONGEST = 4_000

function redact(name: string, value: string): string {
  const id = Object.hasOwn(LONG_IDS, name) ? LONG_IDS[name] : undefined
  if (id !== undefined) return id.test(value) ? value : REDACTED
  return value.slice(0, LONGEST).replaceAll(PREFIXED, REDACTED).replaceAll(SECRET_LIKE, REDACTED)
}
