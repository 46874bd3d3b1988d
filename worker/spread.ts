import { fingerprint } from './core/graph/hash.ts'

const JITTER = 0.2

/**
 * Returns a delay in milliseconds, increased by up to a fifth, so that work that failed at the same moment is not
 * retried at the same moment. The increase is computed from the name and the attempt, not drawn at random.
 *
 * @param name the name of the work, unique over all conversations
 * @param attempt the number of the failed attempt, from 1
 */
export function spread(delayMs: number, name: string, attempt: number): number {
  const share = Number.parseInt(fingerprint([attempt, name]).slice(0, 8), 16) / 2 ** 32
  return Math.round(delayMs * (1 + JITTER * share))
}
