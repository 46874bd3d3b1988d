import type { Graph } from '../graph/graph.ts'
import { briefAfter } from './brief-node.ts'
import { handOver } from './command.ts'
import { type EventOf, ignored, type Step } from './event.ts'
import { newTurn, type Walk } from './walk.ts'

/** How many questions a colleague answers after the end of the conversation. */
export const MOST_AFTERS = 10
/** How often a learner may take a goodbye back in a conversation. */
export const MOST_RESUMED = 2

/** Tells whether the conversation has ended and the colleague still answers a question. */
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

/** Closes a turn after the end of the conversation. Nothing in the turn's report has an effect. */
export function closeAfter(walk: Walk, event: EventOf<'report'>): Step {
  if (!walk.open) return ignored(walk, event, 'ended')
  if (walk.open.turnId !== event.turnId) return ignored(walk, event, 'no-such-turn')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')
  return { walk: { ...walk, seq: event.seq, afters: (walk.afters ?? 0) + 1, open: null }, effects: [], trace: [] }
}

/**
 * Tells whether the learner can take back the goodbye that ended the walk. The learner cannot if the walk has stayed in
 * its node for `stallBackstop` exchanges, because this limit would end the walk again at once. An exchange with a
 * goodbye counts towards the limit too.
 */
export function mayResume({ policy }: Graph, { end, open, resumed = 0, stall }: Walk): boolean {
  return end?.isLeft === true && open === null && resumed < MOST_RESUMED && stall < policy.stallBackstop
}

/** Undoes the end of a walk. The walk still records the commands that it has given out. */
export function resumed(graph: Graph, walk: Walk): Walk {
  // The command for the end handed the document over, so the colleague must not hand it over again.
  const given = handOver(graph, walk)?.walk ?? walk
  return {
    ...given,
    forced: walk.forced.filter((id) => id !== walk.node),
    goodbyes: 0,
    resumed: (walk.resumed ?? 0) + 1,
    end: null,
  }
}
