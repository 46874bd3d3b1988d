import { spread } from '../spread.ts'

const FIRST_MS = 1_000
const LONGEST_MS = 900_000

/**
 * How long to wait, in milliseconds, before what the chain did not take is brought to it again: twice as long each time, up
 * to a quarter of an hour, for as long as it takes ([run-9]).
 *
 * @param attempt the one that failed, from 1
 */
export function chainRetryMs(session: string, attempt: number): number {
  return spread(Math.min(FIRST_MS * 2 ** Math.min(attempt - 1, 20), LONGEST_MS), session, attempt)
}
