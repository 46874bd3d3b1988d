import { fingerprint } from '../core/graph/hash.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** How long to wait after each attempt but the last: the example schedule of Standard Webhooks 1.0.0. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** What a delay may grow by, so that conversations that failed together do not come back together. */
const JITTER = 0.2

export const MAX_ATTEMPTS = DELAYS_MS.length + 1

/**
 * How long to wait, in milliseconds, before something is tried again ([O8], [O9]); null after the last attempt. The
 * jitter follows from the message and the attempt, so the same failure is always followed by the same wait.
 *
 * @param message its id, unique over all conversations
 * @param attempt the one that failed, from 1
 * @param retryAfterMs what the receiver asked for; the later of the two holds
 */
export function retryDelayMs(message: string, attempt: number, retryAfterMs: number | null): number | null {
  const delay = DELAYS_MS[attempt - 1]
  if (delay === undefined) return null
  return Math.max(Math.round(delay * (1 + JITTER * shareOf(message, attempt))), retryAfterMs ?? 0)
}

/** From 0 to just under 1. */
function shareOf(message: string, attempt: number): number {
  return Number.parseInt(fingerprint([attempt, message]).slice(0, 8), 16) / 2 ** 32
}
