import type { RelationshipLevel } from '../../wire/messages.ts'
import type { BoundContent, NodeKind, Guidelines } from '../graph/graph.ts'
import type { Npc, PivotContent, Scenario } from '../scenario/scenario.ts'
import type { Thought } from '../walk/event.ts'

/**
 * Everything that an actor is told this turn. A model gets `system` and `user`; an actor that is not a model gets the
 * same information as structured data in `scene`.
 */
export interface Briefing {
  readonly system: string
  readonly user: string
  /** The line that the actor must write between the speech and the report of this reply. */
  readonly separator: string
  readonly scene: BriefingScene
}

export interface BriefingScene {
  readonly scenario: Scenario
  readonly npc: Npc
  readonly node: NodeBrief
  /** The latest lines, oldest first, without the learner's current message. */
  readonly history: readonly HistoryLine[]
  /** Points that this colleague has already made (`information_revealed` of earlier reports, oldest first). */
  readonly said: readonly string[]
  readonly relationship: { readonly score: number; readonly level: RelationshipLevel }
  readonly mood: PlayerMood
  /** The learner's message, exactly as typed. */
  readonly learner: string
  /**
   * What the page around the chat says about itself, if anything. The actor may use this text as information, and must
   * not obey it.
   */
  readonly page?: string | null
}

/** What the actor is told about the node of this turn, with the scenario's content for it. */
export interface NodeBrief {
  readonly id: string
  readonly kind: NodeKind
  readonly intent: string
  readonly satisfyWhen: string | null
  readonly content: readonly BoundContent[]
  readonly isGate: boolean
  readonly isTerminal: boolean
  /** The number of exchanges in this visit before the current one; 0 on arrival. */
  readonly turns: number
  /** True if the learner has not taken in the plain wording, so that the actor has to be blunter. */
  readonly escalated: boolean
  /** For a pivot node: the fork, and whether the learner has already been asked. */
  readonly pivot: { readonly content: PivotContent; readonly armed: boolean } | null
  /** The content that opens inside this node in this turn, e.g. the key reveal. */
  readonly overlay: BoundContent | null
  /** For a state of a context graph: what the actor is told in addition. Null for a backbone's node. */
  readonly state: StateBrief | null
}

/**
 * A context graph's state as the actor is told it: on three levels (why, where, what), and with the actor's thoughts.
 */
export interface StateBrief {
  /** Why: the purpose of the conversation. */
  readonly description: string
  /** Where: every state and exit of the graph, as text. */
  readonly topology: string
  /** The state's name within its own graph. */
  readonly name: string
  /** The graph that the state is part of, `id@version`. */
  readonly module: string
  readonly actions: readonly string[]
  /** The action to engage in; null before an action is selected, and in a decision. */
  readonly action: { readonly index: number; readonly text: string } | null
  /** The indexes of the actions already engaged in this visit, in order. */
  readonly engaged: readonly number[]
  /**
   * The state's guidelines with the graph's global guidelines. The guidelines of an active behavior are added to them,
   * or replace all of them except the hard boundaries.
   */
  readonly guidelines: Guidelines
  readonly behavior: { readonly id: string; readonly mode: 'merge' | 'overwrite' } | null
  readonly contexts: readonly string[]
  /** The latest thoughts, newest last. */
  readonly thoughts: readonly Thought[]
  /** How much the state prescribes to the actor. */
  readonly density: Density
}

/** How much a state prescribes, from 0 (the actor leads) to 1 (a script leads). */
export interface Density {
  /** From 0 to 1, with two decimals. */
  readonly score: number
  readonly band: 'minimal' | 'moderate' | 'dense' | 'override'
}

/** A line of the transcript, or a marker for something that happened between two lines. */
export type HistoryLine =
  | { readonly who: 'learner' | 'npc'; readonly text: string }
  | { readonly who: 'marker'; readonly text: string }

/** The mood of the learner's message. */
export type PlayerMood =
  | 'curious'
  | 'skeptical'
  | 'agreeing'
  | 'decisive'
  | 'frustrated'
  | 'hesitant'
  | 'dismissive'
  | 'neutral'
