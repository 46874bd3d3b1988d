import type { NodeBrief } from '../briefing/briefing.ts'
import type { BoundContent, Graph, GraphNode } from '../graph/graph.ts'
import type { Walk } from './walk.ts'

/** What this turn is for, from where the walk stands. `overlay` is the content opened for this turn, if any. */
export function briefNode(graph: Graph, node: GraphNode, walk: Walk, overlay: BoundContent | null): NodeBrief {
  return {
    id: node.id,
    kind: node.kind,
    intent: node.intent,
    satisfyWhen: node.satisfyWhen,
    content: node.content,
    isGate: node.isGate,
    isTerminal: node.id === graph.terminal,
    turns: walk.visits.at(-1)?.exchanges ?? 0,
    escalated: node.isGate && walk.turns >= node.maxTurns,
    pivot: node.kind === 'pivot' ? { content: node.pivot, armed: walk.pivots[node.id]?.state === 'armed' } : null,
    overlay,
  }
}
