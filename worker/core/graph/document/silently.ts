import {
  isSilentReturn,
  type Exit,
  type Graph,
  type GraphNode,
  type ModuleId,
  type NodeId,
  type SilentNode,
  speaks,
} from '../graph.ts'

/**
 * The silent nodes a walk can come through after a node, before anybody speaks again: along their exits, and out of
 * a called graph whose terminal returns without a word, to wherever it can have been called from.
 */
export function silentlyFrom(graph: Graph, node: GraphNode): readonly SilentNode[] {
  const passed = new Set<SilentNode>()
  const seen = new Set<NodeId>()
  const queue = node.exits.map((exit) => nextOf(graph, node.module, exit))
  for (let ids = queue.pop(); ids !== undefined; ids = queue.pop()) {
    for (const id of ids) {
      const next = Object.hasOwn(graph.nodes, id) ? graph.nodes[id] : undefined
      if (!next || seen.has(id)) continue
      seen.add(id)
      if (!speaks(next)) {
        passed.add(next)
        queue.push(...next.exits.map((exit) => nextOf(graph, next.module, exit)))
      } else if (isSilentReturn(graph, next)) {
        queue.push(returnsOf(graph, next.module))
      }
    }
  }
  return [...passed]
}

/** An exit that ends a graph which was called goes on where its callers do. */
function nextOf(graph: Graph, module: ModuleId, { to }: Exit): readonly NodeId[] {
  return to === null ? returnsOf(graph, module) : [to]
}

function returnsOf(graph: Graph, module: ModuleId): readonly NodeId[] {
  return Object.values(graph.nodes).flatMap(({ exits }) =>
    exits.flatMap(({ to, returnTo }) =>
      to !== null && returnTo !== null && graph.nodes[to]?.module === module ? [returnTo] : [],
    ),
  )
}
