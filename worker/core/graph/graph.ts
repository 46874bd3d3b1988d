import type { DocumentView, PersonView, RelationshipLevel } from '../../wire/messages.ts'
import type { PivotContent } from '../scenario/scenario.ts'
import type { Policy } from './policy.ts'

export type NodeId = string

/** Names one graph of those a walk can pass through: `id@version`. */
export type ModuleId = string

/** Content from a scenario, bound to a node by its content source. */
export interface BoundContent {
  /** Which binding it came from: `decision_facts`, `key_reveal` … */
  readonly source: string
  readonly lines: readonly string[]
}

/**
 * What a walk walks: a backbone bound to one colleague's content, or a context graph linked with every graph it refers
 * to, or both in one. Plain data, so it can be stored and hashed.
 */
export interface Graph {
  /** The shape of this data, so that a stored graph of an older shape can be read. */
  readonly ir: 2
  readonly id: string
  readonly version: number
  /** Changes whenever anything else in the graph does. For recognising a graph, not for security. */
  readonly hash: string
  /** Where somebody new begins. */
  readonly entry: NodeId
  /** Where somebody who comes back begins. */
  readonly returning: NodeId
  readonly terminal: NodeId
  readonly policy: Policy
  readonly nodes: Readonly<Record<NodeId, GraphNode>>
  /** The ids of `nodes` in the order they were written; those of graphs referred to come after the graph's own. */
  readonly order: readonly NodeId[]
  readonly modules: Readonly<Record<ModuleId, Module>>
  readonly behaviors: readonly BehaviorSet[]
  /** How to take over a walk that was begun on an older version, by that version. */
  readonly migrations: readonly Migration[]
  readonly closing: GraphClosing
}

/** One graph of a linked set, as far as its states share something. */
export interface Module {
  readonly id: ModuleId
  readonly graph: string
  readonly version: number
  /** Why there is such a conversation; the first of the three levels. Empty for a backbone. */
  readonly description: string
  /** Where everything leads, as text; the second level. Empty for a backbone. */
  readonly topology: string
  readonly terminal: NodeId
  /** Called by another graph, a terminal state is a silent return unless this says it speaks first. */
  readonly speaksAtReturn: boolean
}

/** Moves walks from an older version on purpose. */
export interface Migration {
  readonly from: number
  /** New ids by old ones. An id that is not named keeps its name. */
  readonly nodes: Readonly<Record<NodeId, NodeId>>
  readonly unknown: UnknownNodePolicy
}

/** What to do when the node a walk stands in is not in the graph any more. Never a silent reset. */
export type UnknownNodePolicy = 'fail' | 'restart' | 'nearest-ancestor'

/** What a conversation leaves the learner with. */
export interface GraphClosing {
  readonly objective: { readonly id: string; readonly title: string }
  readonly document: DocumentView | null
  readonly next: (PersonView & { readonly why: string }) | null
}

export type NodeKind = GraphNode['kind']

/** A node that speaks is where an exchange happens; any other is passed inside one, unseen. */
export type GraphNode = SpeakNode | PivotNode | DecideNode | RecallNode | ReflectNode | AnnotateNode | EffectNode
export type SpeakingNode = SpeakNode | PivotNode
export type SilentNode = Exclude<GraphNode, SpeakingNode>

interface NodeBase {
  readonly id: NodeId
  readonly module: ModuleId
  /** What the node is for: a backbone's intent, a state's objective. */
  readonly intent: string
  /** In the order in which they are tried. One that is written out twice for two guards has two ids. */
  readonly exits: readonly Exit[]
}

interface SpeakingBase extends NodeBase {
  /** Null where nothing is judged: a context graph's state without a rule of its own. */
  readonly satisfyWhen: string | null
  readonly content: readonly BoundContent[]
  readonly minTurns: number
  /** Null: as many as it takes. */
  readonly maxTurns: number | null
  readonly isGate: boolean
  readonly selfLoop: boolean
  readonly overlay: Overlay | null
  /** What can be done here, in the order of the author; one is selected a turn. Empty for a backbone's node. */
  readonly actions: readonly string[]
  readonly guidelines: Guidelines
  /** Names of what else the actor is told. */
  readonly contexts: readonly string[]
  /** Labels that go with each message spoken here; they stay in the log. */
  readonly messageMetadata: readonly string[]
}

/** A colleague talks. */
export interface SpeakNode extends SpeakingBase {
  readonly kind: 'speak'
}

/** A colleague asks, and the learner picks an answer. */
export interface PivotNode extends SpeakingBase {
  readonly kind: 'pivot'
  readonly pivot: PivotContent
}

/** A choice among exits that nobody hears of. */
export interface DecideNode extends NodeBase {
  readonly kind: 'decide'
  readonly guidelines: readonly string[]
}

/** Looks something up. Without queries the actor writes them. */
export interface RecallNode extends NodeBase {
  readonly kind: 'recall'
  readonly queries: readonly string[] | null
  readonly requested: string | null
}

/** A conclusion for later, in few words. */
export interface ReflectNode extends NodeBase {
  readonly kind: 'reflect'
  readonly problem: string
  readonly wordLimit: number
}

/** A note in the log. */
export interface AnnotateNode extends NodeBase {
  readonly kind: 'annotate'
  readonly thought: string
}

/** Something is sent to the world outside. */
export interface EffectNode extends NodeBase {
  readonly kind: 'effect'
  readonly sideEffect: SideEffect
}

export type SideEffect =
  | { readonly type: 'emit-event'; readonly event: string; readonly data: Readonly<Record<string, string>> }
  | { readonly type: 'send-email'; readonly subject: string; readonly text: string }

/** Content that opens inside a node, once in a conversation. */
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

/** Whether something is said in this node. */
export function speaks(node: GraphNode): node is SpeakingNode {
  return node.kind === 'speak' || node.kind === 'pivot'
}

/**
 * A way out of a node. Who picks it is the only difference between a backbone and a context graph: a guard that holds,
 * or somebody's choice among what is declared.
 */
export type Exit = GuardedExit | ChoiceExit

interface ExitBase {
  /** Unique within its node. */
  readonly id: string
  /** Null ends the conversation. */
  readonly to: NodeId | null
  /** For a call into another graph: where to go on once that graph has come to its end. */
  readonly returnTo: NodeId | null
}

/** Taken by the walker, as the first whose condition holds once the node may be left. */
export interface GuardedExit extends ExitBase {
  readonly by: 'guard'
  /** Null always holds. */
  readonly when: Guard | null
}

/** Taken by whoever selects, who sees the description. */
export interface ChoiceExit extends ExitBase {
  readonly by: 'choice'
  readonly description: string
  /** A way out for what nobody planned for. */
  readonly isSafety: boolean
}

export function isGuarded(exit: Exit): exit is GuardedExit {
  return exit.by === 'guard'
}

export function isChoice(exit: Exit): exit is ChoiceExit {
  return exit.by === 'choice'
}

/** One thing that is so or is not. */
export type Condition =
  | { readonly relationship: { readonly atLeast: RelationshipLevel } }
  /** The node was left satisfied at some time in this conversation. */
  | { readonly satisfied: NodeId }

/** Conditions as data, so that it can be stored, drawn, checked and explored. */
export type Guard =
  | Condition
  | { readonly all: readonly Guard[] }
  | { readonly any: readonly Guard[] }
  | { readonly not: Guard }

/** The conditions a guard is made of, denied ones too. */
export function conditionsIn(guard: Guard): readonly Condition[] {
  if ('all' in guard) return guard.all.flatMap(conditionsIn)
  if ('any' in guard) return guard.any.flatMap(conditionsIn)
  return 'not' in guard ? conditionsIn(guard.not) : [guard]
}

/** Every node a walk can go on to from here, silent returns left out; a call leads to its state and, later, back. */
export function targetsOf(node: GraphNode): readonly NodeId[] {
  return node.exits.flatMap(targetsOfExit)
}

function targetsOfExit({ to, returnTo }: Exit): readonly NodeId[] {
  return [to, returnTo].filter((id) => id !== null)
}

/** Whether arriving here, called by another graph, is the end of the call. */
export function isModuleTerminal(graph: Graph, node: GraphNode): boolean {
  return graph.modules[node.module]?.terminal === node.id
}

/** Whether this node, where its graph was called, is a return and nothing else. */
export function isSilentReturn(graph: Graph, node: GraphNode): boolean {
  return isModuleTerminal(graph, node) && graph.modules[node.module]?.speaksAtReturn !== true
}

/** A node's name as its author wrote it, without the graph that a linked set puts before it. */
export function stateName({ id, module }: Pick<GraphNode, 'id' | 'module'>): string {
  const prefix = `${module}/`
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}

/** The same with the graph it is from: `breathing.intro`. */
export function stateOfGraph(graph: Graph, node: Pick<GraphNode, 'id' | 'module'>): string {
  return `${graph.modules[node.module]?.graph ?? node.module}.${stateName(node)}`
}

/** What an author tells whoever speaks in a state. Global ones are injected into every action state. */
export interface Guidelines {
  /** How to choose among actions and exits. */
  readonly navigation: readonly string[]
  /** How to do what was chosen. */
  readonly action: readonly string[]
  readonly boundary: readonly Boundary[]
}

export interface Boundary {
  readonly text: string
  /** No behavior can take it away. */
  readonly isHard: boolean
}

export const NO_GUIDELINES: Guidelines = { navigation: [], action: [], boundary: [] }

/**
 * A dynamic behavior set: instructions that join a state's own, or take their place, while the conversation is about
 * something its author foresaw. The graph itself stays as it is, and so do its exits.
 */
export interface BehaviorSet {
  readonly id: string
  readonly version: number
  /** What a conversation is about when this applies, in natural language; 1 to 50. */
  readonly triggers: readonly string[]
  readonly mode: 'merge' | 'overwrite'
  readonly guidelines: Guidelines
}
