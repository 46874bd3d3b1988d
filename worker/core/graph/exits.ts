import type { Exit } from './exit.ts'
import type { Graph, GraphNode, NodeId } from './graph.ts'

/** Every node a walk can go on to from here, silent returns left out; a call leads to its state and, later, back. */
export function targetsOf(node: GraphNode): readonly NodeId[] {
  return node.exits.flatMap(targetsOfExit)
}

function targetsOfExit({ to, returnTo }: Exit): readonly NodeId[] {
  return [to, returnTo].filter((id) => id !== null)
}

/** Whether arriving here, called by another graph, is the end of the call. */
export function isModuleTerminal(graph: Graph, node: GraphNode): boolean {
  return graph.modules[node.module]?.terminal === node.id
}

/** Whether this node, where its graph was called, is a return and nothing else (B0-2). */
export function isSilentReturn(graph: Graph, node: GraphNode): boolean {
  return isModuleTerminal(graph, node) && graph.modules[node.module]?.speaksAtReturn !== true
}
