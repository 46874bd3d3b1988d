import {
  type GuardedExit,
  type Graph,
  type GraphNode,
  nodeOf,
  type SpeakingNode,
  speaks,
  type Guard,
} from '../../worker/core/graph/graph.ts'

/** Returns a copy of the graph in which one node is changed. */
export function withNode(graph: Graph, id: string, change: Partial<GraphNode>): Graph {
  return { ...graph, nodes: { ...graph.nodes, [id]: { ...nodeOf(graph, id), ...change } as GraphNode } }
}

/**
 * Returns a copy of the graph in which one node has an additional exit. This exit comes before the node's other exits.
 */
export function withBranch(graph: Graph, id: string, to: string, when: Guard): Graph {
  const branch: GuardedExit = { id: 'branch', by: 'guard', when, to, returnTo: null }
  return withNode(graph, id, { exits: [branch, ...nodeOf(graph, id).exits] })
}

/** Returns a list with one exit, which the walker always takes. */
export function onward(to: string | null): readonly GuardedExit[] {
  return [{ id: 'advance', by: 'guard', when: null, to, returnTo: null }]
}

/** Returns a speaking node of the graph. @throws for any other node */
export function speakingNode(graph: Graph, id: string): SpeakingNode {
  const node = nodeOf(graph, id)
  if (!speaks(node)) throw new Error(`nobody speaks in ${id}`)
  return node
}
