import { type Graph, type GraphNode, type ModuleId, type NodeId, stateName } from '../graph/graph.ts'

/**
 * Returns the key of a state in the rehearsal lines: its name in the graph that a walk begins in, `graph.state` in a
 * graph that this one refers to. The version is left out, so that the lines also apply to later versions.
 */
export function lineKeyOf(graph: Graph, node: GraphNode): string {
  return lineKey(node.id, node.module, graph.modules[node.module]?.graph)
}

/** Returns the same key from the data of a brief, for an actor that has no graph. */
export function lineKey(id: NodeId, module: ModuleId, graph = module.replace(/@\d+$/, '')): string {
  const name = stateName({ id, module })
  return name === id ? name : `${graph}.${name}`
}
