import type { DecideResult } from '../../chain/runs/decide.ts'
import type { Play } from '../../chain/runs/open-play.ts'
import type { Account } from '../../core/run/account.ts'
import type { PlayRecord } from '../../core/run/run-view.ts'
import { inTime } from '../../clock.ts'
import type { Opening } from '../../session/begin.ts'
import type { Bindings } from '../bindings.ts'
import { type Objects, beginCopy } from './begin-again.ts'
import type { Playable } from './refusals.ts'

/** How long one has to bring what it has, in milliseconds. */
const FLUSH_MS = 3_000

/** The deployment's own conversations. */
export function objectsOf({ CONVERSATIONS }: Pick<Bindings, 'CONVERSATIONS'>): Objects {
  const objectOf = (session: string) => CONVERSATIONS.get(CONVERSATIONS.idFromString(session))
  return {
    newSession: () => CONVERSATIONS.newUniqueId().toString(),
    copyUntil: (session, moment) => objectOf(session).copyUntil(moment),
    beginAs: (session, copy, opening) => objectOf(session).beginAs(copy, opening),
    flush: (session) => inTime(objectOf(session).flush(), FLUSH_MS, () => {}).catch(() => {}),
  }
}

/**
 * Has the object of a run's conversation begin, unless it has. What is written down of a conversation stands before its
 * object does, and whoever wrote it may have died in between: then whoever asks next begins it.
 *
 * @param opening what it begins with; asked for only where it has not begun
 * @returns its epoch of revocation; null when it is being erased
 */
export async function beginPlay(env: Bindings, play: Play, opening: () => Promise<Opening>): Promise<number | null> {
  const { CONVERSATIONS } = env
  const { session } = play
  const object = CONVERSATIONS.get(CONVERSATIONS.idFromString(session))
  const epoch = await object.revocations()
  if (epoch !== null) return epoch
  const opens = await opening()
  if (play.from === null) await object.begin(opens)
  else await beginCopy(objectsOf(env), play, opens)
  return object.revocations()
}

/**
 * Has the conversations bring into the chain what they have for it, of those colleagues to whom the facts belong that
 * nobody is known to have heard. Ends when they have, or when those that have not have tried for long enough.
 */
export async function flushHolders(
  env: Pick<Bindings, 'CONVERSATIONS'>,
  { simulation }: Playable,
  { facts, standing }: Extract<DecideResult, { type: 'not-heard' }>,
): Promise<void> {
  const whose = new Set(simulation.facts.filter(({ id }) => facts.includes(id)).map(({ npc }) => npc))
  const sessions = standing.plays.filter(({ npc }) => whose.has(npc)).map(({ session }) => session)
  const objects = objectsOf(env)
  await Promise.all(sessions.map((session) => objects.flush(session)))
}

/** How long each conversation has to tell, in milliseconds. A page waits for 15 seconds. */
const PATIENCE_MS = 8_000

/**
 * How each conversation of a run went, asked of all at once. One that never began, or is erased, has none.
 *
 * @throws Error when one of them could not tell, or not in time
 */
export async function accountsOf({ CONVERSATIONS }: Bindings, plays: readonly PlayRecord[]): Promise<Account[]> {
  const told = plays.map(({ session }) => CONVERSATIONS.get(CONVERSATIONS.idFromString(session)).account())
  const accounts = await inTime(Promise.all(told), PATIENCE_MS, notInTime)
  return accounts.filter((account) => account !== null)
}

function notInTime(): never {
  throw new Error('not told in time')
}
