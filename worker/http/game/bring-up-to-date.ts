import type { Decided } from '../../chain/runs/decide.ts'
import type { Bindings } from '../bindings.ts'
import { objectsOf } from './objects-of.ts'
import type { Playable } from './scenario-of.ts'

/**
 * Has the conversations bring into the chain what they have for it, of those colleagues to whom the facts belong that
 * nobody is known to have heard. Ends when they have, or when those that have not have tried for long enough.
 */
export async function bringUpToDate(
  env: Pick<Bindings, 'CONVERSATIONS'>,
  { simulation }: Playable,
  { facts, standing }: Extract<Decided, { type: 'not-heard' }>,
): Promise<void> {
  const whose = new Set(simulation.facts.filter(({ id }) => facts.includes(id)).map(({ npc }) => npc))
  const sessions = standing.plays.filter(({ npc }) => whose.has(npc)).map(({ session }) => session)
  const objects = objectsOf(env)
  await Promise.all(sessions.map((session) => objects.flush(session)))
}
