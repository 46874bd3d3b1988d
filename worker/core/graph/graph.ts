import type { DocumentView, PersonView, RelationshipLevel } from '../../wire/messages.ts'
import type { PivotContent } from '../scenario/scenario.ts'
import type { Policy } from './policy.ts'

export type NodeId = string

/** `speak`: a colleague talks. `pivot`: a colleague asks, and the learner picks an answer. */
export type NodeKind = 'speak' | 'pivot'

/** A condition as data, so that it can be stored, drawn and explored. */
export type Guard = { readonly relationship: { readonly atLeast: RelationshipLevel } }

/** Content from a scenario, bound to a node by its content source. */
export interface BoundContent {
  /** Which binding it came from: `decision_facts`, `key_reveal` … */
  readonly source: string
  readonly lines: readonly string[]
}

/** A backbone bound to one colleague's content: what a walk walks. Plain data, so it can be stored and hashed. */
export interface Graph {
  readonly id: string
  readonly version: number
  /** Changes whenever anything else in the graph does. For recognising a graph, not for security. */
  readonly hash: string
  readonly entry: NodeId
  readonly terminal: NodeId
  readonly policy: Policy
  readonly nodes: Readonly<Record<NodeId, GraphNode>>
  /** The ids of `nodes` in the order of the backbone. */
  readonly order: readonly NodeId[]
  readonly closing: Closing
}

/** What a conversation leaves the learner with. */
export interface Closing {
  readonly objective: { readonly id: string; readonly title: string }
  readonly document: DocumentView | null
  readonly next: (PersonView & { readonly why: string }) | null
}

export type GraphNode = SpeakNode | PivotNode

interface NodeBase {
  readonly id: NodeId
  readonly intent: string
  readonly satisfyWhen: string
  readonly content: readonly BoundContent[]
  readonly minTurns: number
  readonly maxTurns: number
  readonly isGate: boolean
  /** Null ends the conversation. */
  readonly advance: NodeId | null
  readonly selfLoop: boolean
  readonly branch: { readonly to: NodeId; readonly when: Guard } | null
  readonly overlay: Overlay | null
}

export interface SpeakNode extends NodeBase {
  readonly kind: 'speak'
}

export interface PivotNode extends NodeBase {
  readonly kind: 'pivot'
  readonly pivot: PivotContent
}

/** Content that opens inside a node, once in a conversation (B3-10). */
export interface Overlay {
  readonly id: string
  readonly content: BoundContent
  readonly when: Guard
}

/** The node of that name. @throws when the graph has none, which the lint rules out for every graph served. */
export function nodeOf(graph: Graph, id: NodeId): GraphNode {
  const node = graph.nodes[id]
  if (!node) throw new Error(`graph ${graph.id} has no node ${id}`)
  return node
}
