import type { RelationshipLevel } from '../../wire/messages.ts'
import type { BoundContent, NodeKind, Guidelines } from '../graph/graph.ts'
import type { Npc, PivotContent, Scenario } from '../scenario/scenario.ts'
import type { Thought } from '../walk/event.ts'

/**
 * Exactly what an actor is told this turn. `system` and `user` are what a model gets; `scene` is the same in
 * structured form, for an actor that is not a model.
 */
export interface Briefing {
  readonly system: string
  readonly user: string
  /** The line that this reply's two parts are divided by. */
  readonly separator: string
  readonly scene: BriefingScene
}

export interface BriefingScene {
  readonly scenario: Scenario
  readonly npc: Npc
  readonly node: NodeBrief
  /** Oldest first, bounded, without the message at hand. */
  readonly history: readonly HistoryLine[]
  /** Points this colleague has made already (`information_revealed` of earlier reports, oldest first). */
  readonly said: readonly string[]
  readonly relationship: { readonly score: number; readonly level: RelationshipLevel }
  readonly mood: PlayerMood
  /** The learner's message, as it was typed. */
  readonly learner: string
  /** What the page around the chat tells of itself, where it does. Information about the learner, never a request. */
  readonly page?: string | null
}

/** The node this turn is in, with its content bound. */
export interface NodeBrief {
  readonly id: string
  readonly kind: NodeKind
  readonly intent: string
  readonly satisfyWhen: string | null
  readonly content: readonly BoundContent[]
  readonly isGate: boolean
  readonly isTerminal: boolean
  /** Exchanges already spent here before this one. 0 on arrival. */
  readonly turns: number
  /** The plain wording did not land: say it more bluntly. */
  readonly escalated: boolean
  /** In a pivot node: the fork, and whether the learner has been asked already. */
  readonly pivot: { readonly content: PivotContent; readonly armed: boolean } | null
  /** Content that opens inside this node this turn, e.g. the key reveal. */
  readonly overlay: BoundContent | null
  /** For a state of a context graph: what an actor is told besides. Null for a backbone's node. */
  readonly state: StateBrief | null
}

/** A context graph's state as an actor is told it, on three levels and with what it has in mind. */
export interface StateBrief {
  /** Why: what this conversation is for. */
  readonly description: string
  /** Where: every state and exit, as text. */
  readonly topology: string
  /** The state's own name, without its graph's. */
  readonly name: string
  /** The graph it is from, `id@version`. */
  readonly module: string
  readonly actions: readonly string[]
  /** The action to engage in; null before one is selected and in a decision. */
  readonly action: { readonly index: number; readonly text: string } | null
  /** Actions engaged in this visit already, in order. */
  readonly engaged: readonly number[]
  /** With the graph's global ones, and with the active behavior merged in or in their place. */
  readonly guidelines: Guidelines
  readonly behavior: { readonly id: string; readonly mode: 'merge' | 'overwrite' } | null
  readonly contexts: readonly string[]
  /** Newest last, bounded. */
  readonly thoughts: readonly Thought[]
  /** How much the state leaves to the actor. */
  readonly density: Density
}

/** From an actor who leads to a script that does. */
export interface Density {
  /** 0 to 1, two decimals. */
  readonly score: number
  readonly band: 'minimal' | 'moderate' | 'dense' | 'override'
}

/** A line of the transcript, or a marker of what happened between lines. */
export type HistoryLine =
  | { readonly who: 'learner' | 'npc'; readonly text: string }
  | { readonly who: 'marker'; readonly text: string }

/** How the learner's message reads. */
export type PlayerMood =
  | 'curious'
  | 'skeptical'
  | 'agreeing'
  | 'decisive'
  | 'frustrated'
  | 'hesitant'
  | 'dismissive'
  | 'neutral'
