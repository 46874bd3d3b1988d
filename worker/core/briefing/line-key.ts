import { type Graph, type GraphNode, type ModuleId, type NodeId, stateName } from '../graph/graph.ts'

/**
 * Returns the key of a state among the lines that the author wrote for the rehearsal actor. For a state of the graph in
 * which the walk begins, the key is the state's name. For a state of any other graph, it is `graph.state`. The graph's
 * version is left out, so that the lines also apply to later versions.
 */
export function lineKeyOf(graph: Graph, node: GraphNode): string {
  return lineKey(node.id, node.module, graph.modules[node.module]?.graph)
}

/** Returns the same key as `lineKeyOf` from the data of a `NodeBrief`, for an actor that has no graph. */
export function lineKey(id: NodeId, module: ModuleId, graph = module.replace(/@\d+$/, '')): string {
  const name = stateName({ id, module })
  return name === id ? name : `${graph}.${name}`
}
