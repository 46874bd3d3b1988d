import { type Graph, type NodeId } from '../graph/graph.ts'
import { closingCommands } from './command.ts'
import type { Decision, Reason, Step } from './event.ts'
import type { Walk } from './walk.ts'

/** Moves the pointer. Every counter of the visit starts again, whatever the reason for the move (B3-1). */
export function enter(walk: Walk, to: NodeId, reason: Reason): Walk {
  return {
    ...leave(walk, reason),
    node: to,
    turns: 0,
    graceUsed: 0,
    stall: 0,
    visits: [...walk.visits, { node: to, exchanges: 0 }],
  }
}

/** Ends the walk. The objective is earned only if every gate was satisfied (B3-4). */
export function leaveTerminal(graph: Graph, walk: Walk, decision: Decision): Pick<Step, 'walk' | 'effects'> {
  const left = leave(walk, decision.reason)
  const gates = Object.values(graph.nodes).filter(({ isGate }) => isGate)
  const earned = gates.every(({ id }) => left.satisfied.includes(id)) && decision.reason !== 'backstop'
  const completion = earned ? 'earned' : 'forced'
  const effects = closingCommands(graph, completion).filter(({ id }) => !walk.emitted.includes(id))
  return {
    walk: { ...left, emitted: [...left.emitted, ...effects.map(({ id }) => id)], end: { completion } },
    effects,
  }
}

function leave(walk: Walk, reason: Reason): Walk {
  const earned = reason === 'satisfied' || reason === 'pivot-choice'
  return {
    ...walk,
    satisfied: earned ? including(walk.satisfied, walk.node) : walk.satisfied,
    forced: earned
      ? walk.forced.filter((id) => id !== walk.node)
      : walk.satisfied.includes(walk.node)
        ? walk.forced
        : including(walk.forced, walk.node),
  }
}

function including(ids: readonly NodeId[], id: NodeId): readonly NodeId[] {
  return ids.includes(id) ? ids : [...ids, id]
}
