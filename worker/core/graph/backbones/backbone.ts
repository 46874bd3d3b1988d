import type { Tier } from '../../scenario/scenario.ts'
import { NO_GUIDELINES, type NodeId, type Guard, type Module } from '../graph.ts'
import type { Policy } from '../policy.ts'

/**
 * A graph without content for one tier, written by hand once and used by every scenario. `instantiate` puts a
 * scenario's content into the nodes, as each node's `contentSource` says.
 */
export interface Backbone {
  readonly id: string
  readonly version: number
  /** Null for the guide's backbone, which serves every tier. */
  readonly tier: Tier | null
  /** The language of the intents, as BCP 47 names it: `en`. */
  readonly language: string
  readonly entry: NodeId
  readonly terminal: NodeId
  /**
   * `spoken`: the colleague's greeting begins the conversation, and the walk begins after the entry node. Absent: the
   * learner's first message begins the conversation, and the walk begins in the entry node.
   */
  readonly opening?: 'spoken'
  readonly policy: Policy
  /** The nodes in the order in which a walk passes them. */
  readonly nodes: readonly BackboneNode[]
  /**
   * Other wordings of the intents, so that two colleagues of a tier do not sound alike. The seed, a number drawn for
   * each conversation, picks one wording. A framing replaces the intents it names and changes nothing else.
   */
  readonly framings: readonly Framing[]
}

export interface Framing {
  readonly id: string
  readonly intents: Readonly<Record<NodeId, string>>
}

/** A backbone's node, before content is bound to it. */
export interface BackboneNode {
  readonly id: NodeId
  readonly kind: 'speak' | 'pivot'
  /** The purpose of a turn in this node, as the actor reads it. */
  readonly intent: string
  /** Which content the node tells, e.g. `beat1 + greeting`: see `content-source.ts`. */
  readonly contentSource: string
  /** The event after which the actor reports the node as satisfied. */
  readonly satisfyWhen: string
  /** See `SpeakingBase.landsOn` in `graph.ts`. */
  readonly landsOn?: 'learner' | 'speaker'
  /** See `SpeakingBase.stay` in `graph.ts`. */
  readonly stay?: readonly string[]
  readonly minTurns: number
  /**
   * The walker leaves the node after this many turns. At a gate, the actor's wording becomes blunter after that many
   * turns instead.
   */
  readonly maxTurns: number
  /** True if the content also limits the turns: one turn per content line, at least `minTurns`, at most `maxTurns`. */
  readonly turnPerItem: boolean
  readonly isGate: boolean
  /**
   * If a scenario has no content for the node, `splice` removes the node and `refuse` makes `instantiate` fail for the
   * colleague.
   */
  readonly whenEmpty: 'splice' | 'refuse'
  readonly exits: {
    readonly advance: NodeId | null
    readonly selfLoop: boolean
    readonly conditional: Conditional | null
  }
}

/**
 * A conditional part of a node. An overlay shows more content inside the node and does not move the pointer. A branch
 * leads to a node other than `advance`.
 */
export type Conditional =
  | { readonly overlay: string; readonly contentSource: string; readonly when: Guard }
  | { readonly to: NodeId; readonly when: Guard }

/** The fields that only an author's context graph fills, empty for a backbone's node. */
export const NO_STATE = { actions: [], guidelines: NO_GUIDELINES, contexts: [], messageMetadata: [] } as const

/**
 * Returns the module of a graph that is not a context graph. Such a graph has only this one module. The module's
 * description is empty, and no other graph calls the module.
 */
export function backboneModule(made: { graph: string; version: number; terminal: NodeId }): Module {
  return { ...made, id: `${made.graph}@${made.version}`, description: '', topology: '', speaksAtReturn: false }
}
