import type { ToolSpec } from '../../assistant/tools.ts'
import type { PivotContent } from '../../scenario/scenario.ts'
import type { Guard, Migration, SideEffect, BehaviorSet, Boundary, Guidelines } from '../graph.ts'

/**
 * A context graph as its author wrote it, normalised: a list of states, with camel-case names.
 * `sims/authoring/graph-schema.ts` parses it and `link.ts` converts it to a `Graph`.
 */
export interface GraphDocument {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly description: string
  readonly states: readonly StateDocument[]
  readonly newUserInitialState: string
  readonly returningUserInitialState: string
  readonly terminalState: string
  readonly references: Readonly<Record<string, GraphReference>>
  readonly globalNavigationGuidelines: readonly string[]
  readonly globalActionGuidelines: readonly string[]
  readonly globalBoundaryConstraints: readonly Boundary[]
  /** The author's own map, if any. `topologyOf` derives the actual map from the states. */
  readonly topologyDescription: string | null
  readonly behaviors: readonly BehaviorSet[]
  /** What the graph's states may have done by the page or by the deployment's own server. Absent: nothing. */
  readonly tools?: readonly ToolSpec[]
  /**
   * The graph's own lines, by name, for content sources of the form `content.name`. The figures in other texts must not
   * contradict `content.document`.
   */
  readonly content: Readonly<Record<string, readonly string[]>>
  readonly limits: { readonly stall: number; readonly exchanges: number }
  /** True if the terminal state speaks before it returns to a graph that called this graph. */
  readonly speaksAtReturn: boolean
  /** True if references may form a cycle through this graph. */
  readonly allowsRecursion: boolean
  readonly migrations: readonly Migration[]
}

export interface GraphReference {
  readonly id: string
  readonly version: number
}

/** A state's name, or a call: a state of another graph, and the state of this graph to return to. */
export type TargetDocument = string | { readonly call: string; readonly returnTo: string }

export interface ExitDocument {
  readonly description: string
  readonly nextState: TargetDocument
  readonly isSafety: boolean
  /**
   * The condition under which the walker takes the exit, or null. With a condition, the description is only for people.
   */
  readonly when: Guard | null
  /**
   * True if the walker takes this exit, as soon as the walk may leave the state and `when` holds; a null `when` always
   * holds. False if the actor selects this exit.
   */
  readonly isGuarded: boolean
}

export type StateDocument =
  | ActionDocument
  | DecisionDocument
  | RecallDocument
  | ReflectionDocument
  | AnnotationDocument
  | SideEffectDocument

export interface ActionDocument {
  readonly type: 'action'
  readonly name: string
  readonly objective: string
  readonly actions: readonly string[]
  readonly navigationGuidelines: readonly string[]
  readonly actionGuidelines: readonly string[]
  readonly boundaryConstraints: readonly Boundary[]
  readonly exits: readonly ExitDocument[]
  readonly includedContexts: readonly string[]
  readonly messageMetadata: readonly string[]
  /** The names of the tools that may be used before a reply in this state. Absent: none. */
  readonly tools?: readonly string[]
  /**
   * An author can give a state the features of a backbone's node with this field and the next four. In other states all
   * five are null.
   */
  readonly dwell: DwellDocument | null
  readonly satisfyWhen: string | null
  readonly contentSource: string | null
  readonly overlay: { readonly id: string; readonly contentSource: string; readonly when: Guard } | null
  readonly pivot: PivotContent | null
}

export interface DwellDocument {
  readonly minTurns: number
  readonly maxTurns: number | null
  readonly isGate: boolean
  readonly selfLoop: boolean
}

export interface DecisionDocument {
  readonly type: 'decision'
  readonly name: string
  readonly objective: string
  readonly guidelines: readonly string[]
  readonly exits: readonly ExitDocument[]
}

export interface RecallDocument {
  readonly type: 'recall'
  readonly name: string
  readonly queries: readonly string[] | null
  readonly requestedInformation: string | null
  readonly nextStates: readonly TargetDocument[]
}

export interface ReflectionDocument {
  readonly type: 'reflection'
  readonly name: string
  readonly problem: string
  readonly wordLimit: number
  readonly nextStates: readonly TargetDocument[]
}

export interface AnnotationDocument {
  readonly type: 'annotation'
  readonly name: string
  readonly innerThought: string
  readonly nextStates: readonly TargetDocument[]
}

export interface SideEffectDocument {
  readonly type: 'side-effect'
  readonly name: string
  readonly sideEffect: SideEffect
  readonly nextStates: readonly TargetDocument[]
}

/** The names allowed in a state's `included_contexts`. */
export const CONTEXT_NAMES = ['task', 'situation', 'objective', 'knowledge', 'document', 'colleagues'] as const

export type ContextName = (typeof CONTEXT_NAMES)[number]

export function isContextName(name: string): name is ContextName {
  return CONTEXT_NAMES.some((known) => known === name)
}

/** Returns the guidelines that apply to an action state: the graph's global guidelines first, then the state's own. */
export function injectedGuidelines(document: GraphDocument, state: ActionDocument): Guidelines {
  return {
    navigation: [...document.globalNavigationGuidelines, ...state.navigationGuidelines],
    action: [...document.globalActionGuidelines, ...state.actionGuidelines],
    boundary: [...document.globalBoundaryConstraints, ...state.boundaryConstraints],
  }
}
