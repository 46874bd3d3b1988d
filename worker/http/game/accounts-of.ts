import type { Account } from '../../core/run/account.ts'
import type { PlayStanding } from '../../core/run/run-view.ts'
import { inTime } from '../../in-time.ts'
import type { Bindings } from '../bindings.ts'

/** How long each conversation has to tell, in milliseconds. A page waits for 15 seconds. */
const PATIENCE_MS = 8_000

/**
 * How each conversation of a run went, asked of all at once. One that never began, or is erased, has none.
 *
 * @throws Error when one of them could not tell, or not in time
 */
export async function accountsOf({ CONVERSATIONS }: Bindings, plays: readonly PlayStanding[]): Promise<Account[]> {
  const told = plays.map(({ session }) => CONVERSATIONS.get(CONVERSATIONS.idFromString(session)).account())
  const accounts = await inTime(Promise.all(told), PATIENCE_MS, notInTime)
  return accounts.filter((account) => account !== null)
}

function notInTime(): never {
  throw new Error('not told in time')
}
