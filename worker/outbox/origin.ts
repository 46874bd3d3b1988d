import type { Graph } from '../core/graph/graph.ts'

/** The conversation that something is sent from. */
export interface Origin {
  readonly session: string
  readonly scenario: { readonly id: string; readonly version: number }
  readonly npc: string
  readonly graph: Pick<Graph, 'id' | 'version' | 'nodes' | 'modules'>
}
