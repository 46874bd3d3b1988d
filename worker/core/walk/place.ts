import { type Graph, type NodeId, nodeOf, speaks } from '../graph/graph.ts'

/** Where a walk can stand: a node that speaks, and the return points of the calls it stands in, outermost first. */
export interface Place {
  readonly node: NodeId
  readonly stack: readonly NodeId[]
}

/**
 * The place of a node in a graph, given return points from elsewhere: with the most of them, outermost first, that
 * lead to the node by calls the graph has. Null when the graph has no such node, nobody speaks in it, or no such calls
 * lead there, so that a call would come back to the wrong place or to none.
 */
export function placeIn(graph: Graph, node: NodeId, stack: readonly NodeId[]): Place | null {
  if (!Object.hasOwn(graph.nodes, node) || !speaks(nodeOf(graph, node))) return null
  for (let depth = stack.length; depth >= 0; depth -= 1) {
    const frames = stack.slice(0, depth)
    if (leadsTo(graph, frames, node)) return { node, stack: frames }
  }
  return null
}

/** Whether every return point is one of the module above it, and the call it belongs to leads into the one below. */
function leadsTo(graph: Graph, frames: readonly NodeId[], node: NodeId): boolean {
  const root = graph.nodes[graph.terminal]?.module
  const callers = [root, ...frames.map((frame, i) => calledBy(graph, frame, frames[i + 1] ?? node))]
  return (
    frames.every((frame, i) => callers[i] !== undefined && graph.nodes[frame]?.module === callers[i]) &&
    callers.at(-1) === graph.nodes[node]?.module
  )
}

/** The module of `inside`, if some call that returns to `frame` leads into it. */
function calledBy(graph: Graph, frame: NodeId, inside: NodeId): string | undefined {
  const module = graph.nodes[inside]?.module
  const isCalled = graph.order.some((id) =>
    graph.nodes[id]?.exits.some(
      ({ to, returnTo }) => returnTo === frame && to !== null && graph.nodes[to]?.module === module,
    ),
  )
  return isCalled ? module : undefined
}
