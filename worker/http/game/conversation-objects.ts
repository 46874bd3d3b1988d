import type { DecideResult } from '../../chain/runs/decide.ts'
import { readRun } from '../../chain/runs/read-run.ts'
import type { Play } from '../../chain/runs/open-play.ts'
import type { Account } from '../../core/run/account.ts'
import type { PlayRecord } from '../../core/run/run-view.ts'
import { contentSources, loadScenario } from '../../chain/scenarios/contents.ts'
import type { Scope } from '../../chain/scope.ts'
import { inTime } from '../../clock.ts'
import type { Opening } from '../../session/begin.ts'
import type { Bindings } from '../bindings.ts'
import { type Objects, beginCopy } from './begin-again.ts'
import type { Playable } from './refusals.ts'

/** How long one conversation may take to write its events, in milliseconds. */
const FLUSH_MS = 3_000

/** Returns access to the Durable Objects of the deployment's own conversations. */
export function objectsOf(env: Pick<Bindings, 'CONVERSATIONS' | 'ASSETS'>, chain: Scope): Objects {
  const { CONVERSATIONS } = env
  const objectOf = (session: string) => CONVERSATIONS.get(CONVERSATIONS.idFromString(session))
  return {
    newSession: () => CONVERSATIONS.newUniqueId().toString(),
    copyUntil: (session, moment) => objectOf(session).copyUntil(moment),
    beginAs: (session, copy, opening) => objectOf(session).beginAs(copy, opening),
    flush: (session) => inTime(objectOf(session).flush(), FLUSH_MS, () => {}).catch(() => {}),
    scenario: (hash) => loadScenario(contentSources(env, chain), hash),
  }
}

/**
 * Begins the Durable Object of a conversation that the chain has stored, unless the object has begun. If a request dies
 * between storing the conversation and beginning the object, the next request begins the object here.
 *
 * @param opening makes the data with which the object begins; called only if the object has not begun
 * @returns how often the conversation's credentials were revoked; null while the conversation is being erased
 */
export async function beginPlay(
  env: Bindings,
  chain: Scope,
  play: Play,
  opening: () => Promise<Opening>,
): Promise<number | null> {
  const { CONVERSATIONS } = env
  const { session } = play
  const object = CONVERSATIONS.get(CONVERSATIONS.idFromString(session))
  const epoch = await object.revocations()
  if (epoch !== null) return epoch
  const opens = await opening()
  if (play.from === null) await object.begin(opens)
  else await beginCopy(objectsOf(env, chain), play, opens)
  return object.revocations()
}

/**
 * Called when a decision cites or needs facts that the chain does not contain. A colleague may have told such a fact
 * although the conversation has not written it to the chain yet. So the conversations with the colleagues who own these
 * facts now write their waiting events. Resolves when the events are written, or after a time limit.
 */
export async function flushHolders(
  env: Pick<Bindings, 'CONVERSATIONS' | 'ASSETS'>,
  chain: Scope,
  { simulation }: Playable,
  { missing, standing }: Extract<DecideResult, { missing: unknown }>,
): Promise<void> {
  const whose = new Set(simulation.facts.filter(({ id }) => missing.includes(id)).map(({ npc }) => npc))
  const sessions = standing.plays.filter(({ npc }) => whose.has(npc)).map(({ session }) => session)
  const objects = objectsOf(env, chain)
  await Promise.all(sessions.map((session) => objects.flush(session)))
}

/**
 * Lets the open conversations of a run write what they have gathered for it. Resolves when they have, or after a time
 * limit.
 */
export async function flushOpen(
  env: Pick<Bindings, 'CONVERSATIONS' | 'ASSETS'>,
  chain: Scope,
  run: Parameters<typeof readRun>[1],
): Promise<void> {
  const objects = objectsOf(env, chain)
  const plays = (await readRun(chain, run))?.standing.plays ?? []
  await Promise.all(plays.flatMap(({ session, endedAt }) => (endedAt === null ? [objects.flush(session)] : [])))
}

/**
 * How long the server waits for the accounts of all conversations of a run, in milliseconds. The page that requests a
 * debrief waits for 15 seconds.
 */
const PATIENCE_MS = 8_000

/**
 * Returns the account of each conversation of a run: the data from which the debrief is made. A conversation that never
 * began or is erased has no account.
 *
 * @throws Error if a conversation fails or answers too late
 */
export async function accountsOf({ CONVERSATIONS }: Bindings, plays: readonly PlayRecord[]): Promise<Account[]> {
  const told = plays.map(({ session }) => CONVERSATIONS.get(CONVERSATIONS.idFromString(session)).account())
  const accounts = await inTime(Promise.all(told), PATIENCE_MS, notInTime)
  return accounts.filter((account) => account !== null)
}

function notInTime(): never {
  throw new Error('not told in time')
}
