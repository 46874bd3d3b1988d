import type { Module, NodeId } from '../graph.ts'
import { NO_GUIDELINES } from '../guidelines.ts'

/** What a node of a context graph has and a backbone's does not. */
export const NO_STATE = { actions: [], guidelines: NO_GUIDELINES, contexts: [], messageMetadata: [] } as const

/** The one module of a graph that was not authored as a document: it says nothing of itself and is called by none. */
export function backboneModule(made: { graph: string; version: number; terminal: NodeId }): Module {
  return { ...made, id: `${made.graph}@${made.version}`, description: '', topology: '', speaksAtReturn: false }
}
