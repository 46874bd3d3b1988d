import { spread } from '../spread.ts'

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

export const MAX_ATTEMPTS = DELAYS_MS.length + 1

/**
 * How long to wait, in milliseconds, before something is tried again ([outbox-8], [outbox-9]); null after the last attempt. The
 * jitter follows from the message and the attempt, so the same failure is always followed by the same wait.
 *
 * @param message its id, unique over all conversations
 * @param attempt the one that failed, from 1
 * @param retryAfterMs what the receiver asked for; the later of the two holds
 */
export function retryDelayMs(message: string, attempt: number, retryAfterMs: number | null): number | null {
  const delay = DELAYS_MS[attempt - 1]
  if (delay === undefined) return null
  return Math.max(spread(delay, message, attempt), retryAfterMs ?? 0)
}
