import type { Graph, GraphNode } from './graph.ts'

/** A node's name as its author wrote it, without the graph that a linked set puts before it. */
export function stateName({ id, module }: Pick<GraphNode, 'id' | 'module'>): string {
  const prefix = `${module}/`
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}

/** The same with the graph it is from: `breathing.intro`. */
export function stateOfGraph(graph: Graph, node: Pick<GraphNode, 'id' | 'module'>): string {
  return `${graph.modules[node.module]?.graph ?? node.module}.${stateName(node)}`
}
