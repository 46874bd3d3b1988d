import type { DocumentView, PersonView, RelationshipLevel } from '../../wire/messages.ts'
import type { PivotContent } from '../scenario/scenario.ts'
import type { Policy } from './policy.ts'

export type NodeId = string

/** The id of one graph in a linked set: `id@version`. */
export type ModuleId = string

/** Content from a scenario, bound to a node by its content source. */
export interface BoundContent {
  /** The binding it came from: `decision_facts`, `key_reveal` … */
  readonly source: string
  readonly lines: readonly string[]
}

/**
 * The graph of a walk: a backbone bound to one colleague's content, a context graph linked with every graph it refers
 * to, or a mix. Plain data, so it can be stored and hashed.
 */
export interface Graph {
  /** The version of this shape, so that older stored graphs can be read. */
  readonly ir: 2
  readonly id: string
  readonly version: number
  /** Changes with any other field of the graph. It identifies a graph; it secures nothing. */
  readonly hash: string
  /** The first node of a new person. */
  readonly entry: NodeId
  /** The first node of a returning person. */
  readonly returning: NodeId
  readonly terminal: NodeId
  readonly policy: Policy
  readonly nodes: Readonly<Record<NodeId, GraphNode>>
  /** The ids of `nodes` in the author's order; graphs referred to come last. */
  readonly order: readonly NodeId[]
  readonly modules: Readonly<Record<ModuleId, Module>>
  readonly behaviors: readonly BehaviorSet[]
  /** How to move a walk from an older version, by that version. */
  readonly migrations: readonly Migration[]
  readonly closing: GraphClosing
}

/** The fields that the nodes of one graph of a linked set share. */
export interface Module {
  readonly id: ModuleId
  readonly graph: string
  readonly version: number
  /** The purpose of the conversation, the first of the three levels. Empty for a backbone. */
  readonly description: string
  /** The map as text, the second level. Empty for a backbone. */
  readonly topology: string
  readonly terminal: NodeId
  /** When another graph calls this one, its terminal state speaks before it returns. Otherwise the return is silent. */
  readonly speaksAtReturn: boolean
}

/** Says how walks move from an older version. */
export interface Migration {
  readonly from: number
  /** New ids by old ones. Any other id keeps its name. */
  readonly nodes: Readonly<Record<NodeId, NodeId>>
  readonly unknown: UnknownNodePolicy
}

/** What happens to a walk whose node no longer exists. A walk never restarts silently. */
export type UnknownNodePolicy = 'fail' | 'restart' | 'nearest-ancestor'

/** The objective, the document and the next person of a conversation. */
export interface GraphClosing {
  readonly objective: { readonly id: string; readonly title: string }
  readonly document: DocumentView | null
  readonly next: (PersonView & { readonly why: string }) | null
}

export type NodeKind = GraphNode['kind']

/** An exchange happens in a speaking node. The walker passes every other node inside an exchange, unseen. */
export type GraphNode = SpeakNode | PivotNode | DecideNode | RecallNode | ReflectNode | AnnotateNode | EffectNode
export type SpeakingNode = SpeakNode | PivotNode
export type SilentNode = Exclude<GraphNode, SpeakingNode>

interface NodeBase {
  readonly id: NodeId
  readonly module: ModuleId
  /** The node's purpose: a backbone's intent, a state's objective. */
  readonly intent: string
  /** In the order in which the walker tries them. An exit that an author wrote with two guards has two ids. */
  readonly exits: readonly Exit[]
}

interface SpeakingBase extends NodeBase {
  /** Null if nothing is judged: a context graph's state without its own rule. */
  readonly satisfyWhen: string | null
  readonly content: readonly BoundContent[]
  readonly minTurns: number
  /** Null means no limit. */
  readonly maxTurns: number | null
  readonly isGate: boolean
  readonly selfLoop: boolean
  readonly overlay: Overlay | null
  /** The actions, in the author's order. The actor selects one each turn. Empty for a backbone's node. */
  readonly actions: readonly string[]
  readonly guidelines: Guidelines
  /** The names of further contexts for the actor. */
  readonly contexts: readonly string[]
  /** Labels for each message spoken here. They stay in the log. */
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

/** A choice among exits, without speech. */
export interface DecideNode extends NodeBase {
  readonly kind: 'decide'
  readonly guidelines: readonly string[]
}

/** Looks something up. Without queries, the actor writes them. */
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

/** Sends an event or an email. */
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

/**
 * Returns the node with this id.
 *
 * @throws Error when the graph has none; the lint rules that out for every served graph
 */
export function nodeOf(graph: Graph, id: NodeId): GraphNode {
  const node = graph.nodes[id]
  if (!node) throw new Error(`graph ${graph.id} has no node ${id}`)
  return node
}

/** Returns true for a node that speaks. */
export function speaks(node: GraphNode): node is SpeakingNode {
  return node.kind === 'speak' || node.kind === 'pivot'
}

/**
 * An exit of a node. A guarded exit is taken when its guard holds (backbones); a choice exit when an actor chooses it
 * (context graphs).
 */
export type Exit = GuardedExit | ChoiceExit

interface ExitBase {
  /** Unique within its node. */
  readonly id: string
  /** Null ends the conversation. */
  readonly to: NodeId | null
  /** For a call: the node to go on with when the called graph ends. */
  readonly returnTo: NodeId | null
}

/** The walker takes the first guarded exit whose condition holds, once the node may be left. */
export interface GuardedExit extends ExitBase {
  readonly by: 'guard'
  /** Null always holds. */
  readonly when: Guard | null
}

/** The actor chooses it by its description. */
export interface ChoiceExit extends ExitBase {
  readonly by: 'choice'
  readonly description: string
  /** A safety exit, for what the author did not plan for. */
  readonly isSafety: boolean
}

export function isGuarded(exit: Exit): exit is GuardedExit {
  return exit.by === 'guard'
}

export function isChoice(exit: Exit): exit is ChoiceExit {
  return exit.by === 'choice'
}

/** One condition. */
export type Condition =
  | { readonly relationship: { readonly atLeast: RelationshipLevel } }
  /** The walk left this node satisfied at some time. */
  | { readonly satisfied: NodeId }

/** Conditions as data, so that code can store, draw, check and explore them. */
export type Guard =
  | Condition
  | { readonly all: readonly Guard[] }
  | { readonly any: readonly Guard[] }
  | { readonly not: Guard }

/** The conditions in a guard, negated ones included. */
export function conditionsIn(guard: Guard): readonly Condition[] {
  if ('all' in guard) return guard.all.flatMap(conditionsIn)
  if ('any' in guard) return guard.any.flatMap(conditionsIn)
  return 'not' in guard ? conditionsIn(guard.not) : [guard]
}

/** Every node that can follow this one, silent returns excluded. A call leads to its state and to its return node. */
export function targetsOf(node: GraphNode): readonly NodeId[] {
  return node.exits.flatMap(targetsOfExit)
}

function targetsOfExit({ to, returnTo }: Exit): readonly NodeId[] {
  return [to, returnTo].filter((id) => id !== null)
}

/** Returns true if a call ends at this node. */
export function isModuleTerminal(graph: Graph, node: GraphNode): boolean {
  return graph.modules[node.module]?.terminal === node.id
}

/** Returns true if this node only returns, when its graph was called. */
export function isSilentReturn(graph: Graph, node: GraphNode): boolean {
  return isModuleTerminal(graph, node) && graph.modules[node.module]?.speaksAtReturn !== true
}

/** A node's name as its author wrote it, without its graph's id. */
export function stateName({ id, module }: Pick<GraphNode, 'id' | 'module'>): string {
  const prefix = `${module}/`
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}

/** The author's name for a node with its graph's id: `breathing.intro`. */
export function stateOfGraph(graph: Graph, node: Pick<GraphNode, 'id' | 'module'>): string {
  return `${graph.modules[node.module]?.graph ?? node.module}.${stateName(node)}`
}

/** An author's instructions to the speaker of a state. Every action state also gets the global ones. */
export interface Guidelines {
  /** How to choose among actions and exits. */
  readonly navigation: readonly string[]
  /** How to carry out the chosen action. */
  readonly action: readonly string[]
  readonly boundary: readonly Boundary[]
}

export interface Boundary {
  readonly text: string
  /** No behavior can remove it. */
  readonly isHard: boolean
}

export const NO_GUIDELINES: Guidelines = { navigation: [], action: [], boundary: [] }

/**
 * A behavior: instructions that join or replace a state's own while the conversation is about a foreseen topic. It
 * never changes the graph or its exits.
 */
export interface BehaviorSet {
  readonly id: string
  readonly version: number
  /** Topics that activate the behavior, in natural language; 1 to 50. */
  readonly triggers: readonly string[]
  readonly mode: 'merge' | 'overwrite'
  readonly guidelines: Guidelines
}
