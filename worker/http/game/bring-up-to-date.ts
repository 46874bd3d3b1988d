import type { Decided } from '../../chain/runs/decide.ts'
import type { Bindings } from '../bindings.ts'
import type { Playable } from './scenario-of.ts'

/**
 * Has the conversations bring into the chain what they have for it, of those colleagues to whom the facts belong that
 * nobody is known to have heard. Ends when they have, or when one of them has tried for long enough; what could not be
 * brought is brought later, by its own alarm.
 */
export async function bringUpToDate(
  { CONVERSATIONS }: Bindings,
  { simulation }: Playable,
  { facts, standing }: Extract<Decided, { type: 'not-heard' }>,
): Promise<void> {
  const whose = new Set(simulation.facts.filter(({ id }) => facts.includes(id)).map(({ npc }) => npc))
  const sessions = standing.plays.filter(({ npc }) => whose.has(npc)).map(({ session }) => session)
  await Promise.allSettled(sessions.map((session) => CONVERSATIONS.get(CONVERSATIONS.idFromString(session)).flush()))
}
