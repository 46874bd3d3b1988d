import type { Graph } from '../graph/graph.ts'
import { briefAfter } from './brief-node.ts'
import { HANDED_OVER } from './command.ts'
import { ignored, type Step, type WalkEvent } from './event.ts'
import { newTurn, type Walk } from './walk.ts'

/** How many questions a colleague answers after the end of the conversation. */
export const MOST_AFTERS = 10
/** How often a learner may take a goodbye back in a conversation. */
export const MOST_RESUMED = 2

type EventOf<T extends WalkEvent['type']> = Extract<WalkEvent, { type: T }>

/** Tells whether a walk that has ended takes another question. */
export function takesAfter(walk: Walk): boolean {
  return walk.end !== null && (walk.afters ?? 0) < MOST_AFTERS
}

/** Opens a turn after the end of the conversation. The walk stays ended. */
export function openAfter(walk: Walk, event: EventOf<'learner'>): Step {
  if (walk.open) return ignored(walk, event, 'turn-open')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')
  if (!takesAfter(walk)) return ignored(walk, event, 'ended')
  const opened = { ...walk, open: newTurn(walk, event.turnId) }
  return { walk: opened, effects: [{ type: 'brief', node: briefAfter() }], trace: [] }
}

/** Closes a turn after the end of the conversation. Nothing in the report has an effect. */
export function closeAfter(walk: Walk, event: EventOf<'report'>): Step {
  if (!walk.open) return ignored(walk, event, 'ended')
  if (walk.open.turnId !== event.turnId) return ignored(walk, event, 'no-such-turn')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')
  return { walk: { ...walk, seq: event.seq, afters: (walk.afters ?? 0) + 1, open: null }, effects: [], trace: [] }
}

/**
 * Tells whether the learner can take back the goodbye that ended the walk. A walk that has no exchange left in its node
 * would be cut short at once, so it stays ended. This also bounds every walk: a goodbye that is taken back costs its
 * node an exchange.
 */
export function mayResume({ policy }: Graph, { end, open, resumed = 0, stall }: Walk): boolean {
  return end?.isLeft === true && open === null && resumed < MOST_RESUMED && stall < policy.stallBackstop
}

/** Returns a walk as it was before its end, with the commands that were given out. */
export function resumed(graph: Graph, walk: Walk): Walk {
  const given = graph.closing.document && !walk.emitted.includes(HANDED_OVER) ? [HANDED_OVER] : []
  return {
    ...walk,
    forced: walk.forced.filter((id) => id !== walk.node),
    // The end has handed the document over.
    emitted: [...walk.emitted, ...given],
    goodbyes: 0,
    resumed: (walk.resumed ?? 0) + 1,
    end: null,
  }
}
