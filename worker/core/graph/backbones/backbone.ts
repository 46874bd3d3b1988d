import type { Tier } from '../../scenario/scenario.ts'
import { NO_GUIDELINES, type NodeId, type Guard, type Module } from '../graph.ts'
import type { Policy } from '../policy.ts'

/**
 * A generic graph for one tier: hand-written once, reused by every scenario. Content arrives by
 * the content sources when it is instantiated; no model ever builds one.
 */
export interface Backbone {
  readonly id: string
  readonly version: number
  /** Null: a guide's, whatever the tier. */
  readonly tier: Tier | null
  readonly entry: NodeId
  readonly terminal: NodeId
  readonly policy: Policy
  /** In the order they are walked. */
  readonly nodes: readonly BackboneNode[]
  /**
   * Other ways to put what the nodes are for, so that two colleagues of a tier do not talk to one pattern. A
   * session's seed picks one; each replaces the intents it names and leaves the structure as it is.
   */
  readonly framings: readonly Framing[]
}

export interface Framing {
  readonly id: string
  readonly intents: Readonly<Record<NodeId, string>>
}

/** A node before it is bound to content. */
export interface BackboneNode {
  readonly id: NodeId
  readonly kind: 'speak' | 'pivot'
  /** What a turn in this node is for, said to the actor. */
  readonly intent: string
  /** A binding expression, see `content-source.ts`. */
  readonly contentSource: string
  /** What has to happen for the actor to report the node satisfied. */
  readonly satisfyWhen: string
  readonly minTurns: number
  /** The node is left after this many turns; on a gate, where the wording becomes blunter instead. */
  readonly maxTurns: number
  /** A turn for each thing there is to say, within `maxTurns`: one fact alone needs one turn. */
  readonly turnPerItem: boolean
  readonly isGate: boolean
  /** What becomes of the node when a scenario has nothing for it. */
  readonly whenEmpty: 'splice' | 'refuse'
  readonly exits: {
    /** The next node; null ends the conversation. */
    readonly advance: NodeId | null
    readonly selfLoop: boolean
    readonly conditional: Conditional | null
  }
}

/**
 * What opens when a condition holds: an overlay shows more content inside the node and leaves the pointer where it
 * is; a branch leads elsewhere instead of `advance`.
 */
export type Conditional =
  | { readonly overlay: string; readonly contentSource: string; readonly when: Guard }
  | { readonly to: NodeId; readonly when: Guard }

/** What a node of a context graph has and a backbone's does not. */
export const NO_STATE = { actions: [], guidelines: NO_GUIDELINES, contexts: [], messageMetadata: [] } as const

/** The one module of a graph that was not authored as a document: it says nothing of itself and is called by none. */
export function backboneModule(made: { graph: string; version: number; terminal: NodeId }): Module {
  return { ...made, id: `${made.graph}@${made.version}`, description: '', topology: '', speaksAtReturn: false }
}
