import type { NodeBrief, StateBrief } from '../briefing/briefing.ts'
import {
  type BehaviorSet,
  type BoundContent,
  type DecideNode,
  type Graph,
  type Guidelines,
  type SpeakingNode,
  speaks,
  stateName,
} from '../graph/graph.ts'
import type { Walk } from './walk.ts'
import { densityOf } from '../graph/density.ts'
import { inMind } from '../briefing/prompt-text.ts'

/**
 * The brief of one turn at the walk's current node.
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

/** The brief of a decision node. The actor says nothing in it. */
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

/**
 * The author's guidelines for the actor at this node, in this turn. A node's own guidelines hold the graph's global ones
 * already; the behavior in force is appended to them, or takes their place but for the hard boundaries. In a
 * decision a behavior is something to know, and changes no guideline. The graph and its exits stay as they are.
 */
export function guidelinesFor(graph: Graph, node: SpeakingNode | DecideNode, walk: Walk): Guidelines {
  if (!speaks(node)) return { navigation: node.guidelines, action: [], boundary: [] }
  const behavior = activeBehavior(graph, walk)
  return behavior ? guidedBy(node.guidelines, behavior) : node.guidelines
}

/** The behavior in force; null when there is none, or when the graph does not have it any more. */
function activeBehavior(graph: Graph, walk: Walk): BehaviorSet | null {
  const active = walk.behavior?.behavior
  return graph.behaviors.find(({ id }) => id === active) ?? null
}

function guidedBy(own: Guidelines, { mode, guidelines }: BehaviorSet): Guidelines {
  const kept =
    mode === 'merge' ? own : { navigation: [], action: [], boundary: own.boundary.filter(({ isHard }) => isHard) }
  return {
    navigation: [...kept.navigation, ...guidelines.navigation],
    action: [...kept.action, ...guidelines.action],
    boundary: [...kept.boundary, ...guidelines.boundary],
  }
}

/**
 * A context graph's state as an actor is told it: why, where and what, under the behavior in force.
 *
 * @param action which of the node's actions was selected; null before one is, and in a decision.
 */
export function stateBrief(
  graph: Graph,
  node: SpeakingNode | DecideNode,
  walk: Walk,
  action: number | null,
): StateBrief {
  const module = graph.modules[node.module]
  const actions = speaks(node) ? node.actions : []
  const selected = action === null ? undefined : actions[action]
  const guidelines = guidelinesFor(graph, node, walk)
  const behavior = activeBehavior(graph, walk)
  return {
    description: module?.description ?? '',
    topology: module?.topology ?? '',
    name: stateName(node),
    module: node.module,
    actions,
    action: action === null || selected === undefined ? null : { index: action, text: selected },
    engaged: walk.engaged,
    guidelines,
    behavior: behavior && { id: behavior.id, mode: behavior.mode },
    contexts: speaks(node) ? node.contexts : [],
    thoughts: inMind(walk.thoughts),
    density: densityOf({
      objective: node.intent,
      actions,
      guidelines,
      exits: node.exits,
    }),
  }
}
