import {
  speaks,
  type BehaviorSet,
  type Guidelines,
  type DecideNode,
  type Graph,
  type SpeakingNode,
} from '../graph/graph.ts'
import type { Walk } from './walk.ts'

/**
 * What an author tells whoever speaks or decides here, this turn. A node's own guidelines hold the graph's global ones
 * already; the behavior in force is appended to them, or takes their place but for the hard boundaries. In a
 * decision a behavior is something to know, and changes no guideline. The graph and its exits stay as they are.
 */
export function guidelinesFor(graph: Graph, node: SpeakingNode | DecideNode, walk: Walk): Guidelines {
  if (!speaks(node)) return { navigation: node.guidelines, action: [], boundary: [] }
  const behavior = activeBehavior(graph, walk)
  return behavior ? guidedBy(node.guidelines, behavior) : node.guidelines
}

/** The behavior in force; null when there is none, or when the graph does not have it any more. */
export function activeBehavior(graph: Graph, walk: Walk): BehaviorSet | null {
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
