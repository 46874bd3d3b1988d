import { type Graph, type NodeId, type SpeakingNode, speaks } from '../graph/graph.ts'
import { briefAfter, lateForkBrief } from './brief-node.ts'
import { advanceCommand, handOver } from './command.ts'
import { type EventOf, ignored, type Step } from './event.ts'
import { takeLate } from './late-fork.ts'
import { including, lastGate } from './move.ts'
import { newTurn, type Walk } from './walk.ts'

/** How many questions a colleague answers after the end of the conversation. */
export const MOST_AFTERS = 30
/** How often a learner may take a goodbye back in a conversation. */
export const MOST_RESUMED = 2

/** Tells whether the conversation has ended and the colleague still answers a question. */
export function takesAfter(walk: Walk): boolean {
  return walk.end !== null && (walk.afters ?? 0) < MOST_AFTERS
}

/**
 * Returns the gate whose constraint the learner may still take in after the end, and so earn the objective: the only
 * gate that is not satisfied. Null if there is none, or if the graph's policy has no `leaving`.
 */
function openGate(graph: Graph, walk: Walk): SpeakingNode | null {
  if (!graph.policy.leaving || walk.end?.completion !== 'forced') return null
  const gate = graph.nodes[lastGate(graph, walk) ?? '']
  return gate && speaks(gate) ? gate : null
}

/** Tells whether the walk has had an exchange in a node, so that the colleague has told what the node is for. */
function wasIn({ visits }: Walk, id: NodeId): boolean {
  return visits.some(({ node, exchanges }) => node === id && exchanges > 0)
}

/** Opens a turn after the end of the conversation. The walk stays ended. */
export function openAfter(graph: Graph, walk: Walk, event: EventOf<'learner'>): Step {
  if (walk.open) return ignored(walk, event, 'turn-open')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')
  if (!takesAfter(walk)) return ignored(walk, event, 'ended')
  const opened = { ...walk, open: newTurn(walk, event.turnId) }
  const gate = openGate(graph, walk)
  const satisfyWhen = gate && wasIn(walk, gate.id) ? gate.satisfyWhen : null
  return {
    walk: opened,
    effects: [{ type: 'brief', node: briefAfter(satisfyWhen, lateForkBrief(graph, opened)) }],
    trace: [],
  }
}

/**
 * Closes a turn after the end of the conversation. The turn's report has two effects at most. If it names an answer to the
 * last fork, which had none, the answer counts. If a gate is still open that the walk was in, and the report says
 * satisfied, the learner earns the objective; the same if it says that the learner has registered the deciding fact.
 */
export function closeAfter(graph: Graph, walk: Walk, event: EventOf<'report'>): Step {
  if (!walk.open) return ignored(walk, event, 'ended')
  if (walk.open.turnId !== event.turnId) return ignored(walk, event, 'no-such-turn')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')
  const answered = takeLate(graph, walk, event)
  const closed: Walk = { ...answered, seq: event.seq, afters: (walk.afters ?? 0) + 1, open: null }
  const { node_satisfied, fact_registered } = event.report
  const gate = openGate(graph, walk)
  const isMet = gate !== null && (fact_registered || (node_satisfied && wasIn(walk, gate.id)))
  if (!isMet) return { walk: closed, effects: [], trace: [] }
  const advance = advanceCommand(graph)
  const earned: Walk = {
    ...closed,
    satisfied: including(walk.satisfied, gate.id),
    forced: walk.forced.filter((id) => id !== gate.id),
    emitted: including(walk.emitted, advance.id),
    end: { ...walk.end, completion: 'earned' },
  }
  return { walk: earned, effects: [advance], trace: [] }
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
