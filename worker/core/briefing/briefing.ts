import type { RelationshipLevel } from '../../wire/messages.ts'
import type { BoundContent, NodeKind } from '../graph/graph.ts'
import type { Npc, PivotContent, Scenario } from '../scenario/scenario.ts'

/**
 * Exactly what an actor is told this turn. `system` and `user` are what a model gets; `scene` is the same in
 * structured form, for an actor that is not a model.
 */
export interface Briefing {
  readonly system: string
  readonly user: string
  readonly scene: Scene
}

export interface Scene {
  readonly scenario: Scenario
  readonly npc: Npc
  readonly node: NodeBrief
  /** Oldest first, bounded, without the message at hand. */
  readonly history: readonly Line[]
  /** Points this colleague has made already (`information_revealed` of earlier reports, oldest first). */
  readonly said: readonly string[]
  readonly relationship: { readonly score: number; readonly level: RelationshipLevel }
  readonly mood: PlayerMood
  /** The learner's message, as it was typed. */
  readonly learner: string
}

/** The node this turn is in, with its content bound. */
export interface NodeBrief {
  readonly id: string
  readonly kind: NodeKind
  readonly intent: string
  readonly satisfyWhen: string
  readonly content: readonly BoundContent[]
  readonly isGate: boolean
  readonly isTerminal: boolean
  /** Exchanges already spent here before this one. 0 on arrival. */
  readonly turns: number
  /** The plain wording did not land: say it more bluntly (B3-5). */
  readonly escalated: boolean
  /** In a pivot node: the fork, and whether the learner has been asked already. */
  readonly pivot: { readonly content: PivotContent; readonly armed: boolean } | null
  /** Content that opens inside this node this turn, e.g. the key reveal. */
  readonly overlay: BoundContent | null
}

/** A line of the transcript, or a marker of what happened between lines. */
export type Line =
  | { readonly who: 'learner' | 'npc'; readonly text: string }
  | { readonly who: 'marker'; readonly text: string }

/** How the learner's message reads (S3-37). */
export type PlayerMood =
  | 'curious'
  | 'skeptical'
  | 'agreeing'
  | 'decisive'
  | 'frustrated'
  | 'hesitant'
  | 'dismissive'
  | 'neutral'
