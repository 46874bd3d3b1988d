import { fingerprint } from './core/graph/hash.ts'

/** What a delay may grow by. */
const JITTER = 0.2

/**
 * A delay in milliseconds, grown by up to a fifth, so that what failed together does not come back together. By how much
 * follows from the name and the attempt: the same failure is always followed by the same wait.
 *
 * @param name of what is to be tried again, unique over all conversations
 * @param attempt the one that failed, from 1
 */
export function spread(delayMs: number, name: string, attempt: number): number {
  const share = Number.parseInt(fingerprint([attempt, name]).slice(0, 8), 16) / 2 ** 32
  return Math.round(delayMs * (1 + JITTER * share))
}
