const DAY_MS = 86_400_000

/**
 * Returns how long a server's answer asks the client to wait, in milliseconds, at most a day; null if the headers
 * contain no readable time. `Retry-After` is seconds or a date (RFC 9110 section 10.2.3); OpenAI adds `retry-after-ms`.
 */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const exact = readAmount(headers.get('retry-after-ms'))
  if (exact !== null) return Math.min(exact, DAY_MS)

  const text = headers.get('retry-after')
  const seconds = readAmount(text)
  if (seconds !== null) return Math.min(Math.ceil(seconds * 1000), DAY_MS)

  // Only text in the form of an HTTP date is parsed, because Date.parse takes almost any text for a date ("-5" is the
  // year 2001).
  if (text === null || !/^\w{3,9}, .* GMT$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), DAY_MS)
}

function readAmount(text: string | null): number | null {
  return text !== null && /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : null
}
