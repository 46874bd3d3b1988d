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
 * Builds the part of a briefing that describes the walk's current node in this turn.
 *
 * @param overlay the content of the overlay that opens in this turn, if any
 * @param action the index of the selected action, if the node has actions
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

/** Builds the description of a decision node for a selection request. The actor does not speak in such a node. */
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
 * Returns the author's guidelines for the actor at this node, in this turn. A node's own guidelines already include the
 * graph's global guidelines. The guidelines of an active behavior in mode `merge` are appended to the node's
 * guidelines; in mode `overwrite` they replace all of the node's guidelines except its hard boundaries (`isHard`). At a
 * decision node, the active behavior has no effect.
 */
export function guidelinesFor(graph: Graph, node: SpeakingNode | DecideNode, walk: Walk): Guidelines {
  if (!speaks(node)) return { navigation: node.guidelines, action: [], boundary: [] }
  const behavior = activeBehavior(graph, walk)
  return behavior ? guidedBy(node.guidelines, behavior) : node.guidelines
}

/** Returns the active behavior; null if no behavior is active, or if the graph no longer has the active behavior. */
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
 * Builds the description of a context graph's state for the actor: the graph's map, the state, its actions, and its
 * guidelines as the active behavior, if any, changes them.
 *
 * @param action the index of the node's selected action; null before a selection, and in a decision node
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
