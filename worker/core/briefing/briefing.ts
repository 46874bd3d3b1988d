import type { RelationshipLevel } from '../../wire/messages.ts'
import type { BoundContent, NodeKind, Guidelines } from '../graph/graph.ts'
import type { Npc, PivotContent, Scenario } from '../scenario/scenario.ts'
import type { MessageHints, Thought } from '../walk/event.ts'
import type { Told } from '../assistant/projection.ts'
import type { ToolCall } from '../assistant/tools.ts'
import type { Brought } from './brought.ts'

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
  /** The latest lines, oldest first, without the learner's current message: more of them than the prompt has. */
  readonly history: readonly HistoryLine[]
  /** Points that this colleague has already made (`information_revealed` of earlier reports, oldest first). */
  readonly said: readonly string[]
  readonly relationship: { readonly score: number; readonly level: RelationshipLevel }
  readonly mood: PlayerMood
  readonly learner: string
  /**
   * What the page around the chat says about itself, if anything. The actor may use this text as information, and must
   * not obey it.
   */
  readonly page?: string | null
  /** What the learner brings from the other colleagues of the run; null for nothing. */
  readonly brought?: Brought | null
  /** For an agent of an assistant: exactly what the agent may know. */
  readonly told?: Told | null
  /** The tools that were used for this reply, in a state of a context graph. The history says it too. */
  readonly used?: readonly ToolCall[]
}

/** What the actor is told about the node of this turn, with the scenario's content for it. */
export interface NodeBrief {
  readonly id: string
  readonly kind: NodeKind
  readonly intent: string
  readonly satisfyWhen: string | null
  readonly content: readonly BoundContent[]
  readonly isGate: boolean
  /**
   * For a gate: true if the colleague has said the gate's constraint (what the learner must acknowledge) before, in
   * about these words.
   */
  readonly isHeard: boolean
  readonly isTerminal: boolean
  /** The number of exchanges in this visit before the current one; 0 on arrival. */
  readonly turns: number
  /** The fewest exchanges that the node's purpose takes. */
  readonly minTurns: number
  /**
   * True if the learner has not taken in what the colleague said in plain words, so that the actor has to be blunter.
   */
  readonly escalated: boolean
  /** For a pivot node: the fork, and whether the learner has already been asked. */
  readonly pivot: { readonly content: PivotContent; readonly armed: boolean; readonly asked: number } | null
  /** The content that opens inside this node in this turn, e.g. the key reveal. */
  readonly overlay: BoundContent | null
  /** Who satisfies the node: see `SpeakingBase.landsOn` in `graph.ts`. Null in a graph that does not say it. */
  readonly landsOn: 'learner' | 'speaker' | null
  /** What to do in each further turn of the visit while the node is not satisfied. Empty: a general instruction. */
  readonly stay: readonly string[]
  /** The node that the reply may go on to if the learner has satisfied this node. Null if the reply may not go on. */
  readonly ahead: NodeAhead | null
  /** What to do if the learner takes their leave. Null if only the graph ends the conversation. */
  readonly leaving: LeavingBrief | null
  /**
   * The document that the colleague has not handed over yet; `may` tells whether the colleague may hand it over in this
   * reply. Null if there is no such document.
   */
  readonly document: { readonly title: string; readonly kind: string; readonly may: boolean } | null
  /**
   * The fork that the walk has left, if an answer in this turn still counts; `taken` is the answer that was read from the
   * learner's words and that they may take back, or null.
   */
  readonly lateFork: { readonly content: PivotContent; readonly taken: string | null } | null
  /** True if the conversation is over, and the learner has come back with a question. */
  readonly isAfter?: true
  /** For a state of a context graph: what the actor is told in addition. Null for a backbone's node. */
  readonly state: StateBrief | null
}

/** What the actor is told about the node that the reply may go on to. */
export interface NodeAhead {
  readonly id: string
  readonly kind: NodeKind
  readonly intent: string
  /** The first line of the node's content; null if the node has no content. */
  readonly item: string | null
  /** True if the colleague has said the line in `item` before, in about these words. */
  readonly isHeard: boolean
}

export interface LeavingBrief {
  /** Whether the words of the learner's message take leave or ask something. */
  readonly hints: MessageHints
  readonly next: string | null
  /** True if every gate of the graph is satisfied; null if the graph has no gate. */
  readonly isSettled: boolean | null
  /** True if the node allows another exchange after this one. */
  readonly mayStay: boolean
  /**
   * What the colleague must say before the learner leaves; null if the colleague has said it, or if there is nothing.
   */
  readonly unsaid: string | null
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
  readonly thoughts: readonly Thought[]
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
  | 'hostile'
  | 'terse'
  | 'off-topic'
  | 'neutral'
