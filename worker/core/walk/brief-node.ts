import type { NodeBrief } from '../briefing/briefing.ts'
import { stateBrief } from '../briefing/state-brief.ts'
import type { BoundContent, DecideNode, Graph, SpeakingNode } from '../graph/graph.ts'
import type { Walk } from './walk.ts'

/**
 * What this turn is for, from where the walk stands.
 *
 * @param overlay the content opened for this turn, if any
 * @param action the action selected, for a node that has some
 */
export function briefNode(
  graph: Graph,
  node: SpeakingNode,
  walk: Walk,
  { overlay, action }: { overlay: BoundContent | null; action: number | null },
): NodeBrief {
  return {
    id: node.id,
    kind: node.kind,
    intent: node.intent,
    satisfyWhen: node.satisfyWhen,
    content: node.content,
    isGate: node.isGate,
    isTerminal: node.id === graph.terminal,
    turns: walk.visits.at(-1)?.exchanges ?? 0,
    escalated: node.isGate && node.maxTurns !== null && walk.turns >= node.maxTurns,
    pivot: node.kind === 'pivot' ? { content: node.pivot, armed: walk.pivots[node.id]?.state === 'armed' } : null,
    overlay,
    state: node.actions.length > 0 ? stateBrief(graph, node, walk, action) : null,
  }
}

/** A decision as whoever decides is told it. Nothing is said in it. */
export function briefDecision(graph: Graph, node: DecideNode, walk: Walk): NodeBrief {
  return {
    id: node.id,
    kind: node.kind,
    intent: node.intent,
    satisfyWhen: null,
    content: [],
    isGate: false,
    isTerminal: false,
    turns: 0,
    escalated: false,
    pivot: null,
    overlay: null,
    state: stateBrief(graph, node, walk, null),
  }
}
