import { type Graph, type GraphNode, type ModuleId, type NodeId, stateName } from '../graph/graph.ts'

/**
 * The key of a state among rehearsal lines: its name in the graph a walk begins in, `graph.state` in one that graph
 * refers to. The version is left out, so that lines outlive it.
 */
export function lineKeyOf(graph: Graph, node: GraphNode): string {
  return lineKey(node.id, node.module, graph.modules[node.module]?.graph)
}

/** The same from what an actor is told, which is not the graph. */
export function lineKey(id: NodeId, module: ModuleId, graph = module.replace(/@\d+$/, '')): string {
  const name = stateName({ id, module })
  return name === id ? name : `${graph}.${name}`
}
