import type { DocumentView, PersonView, RelationshipLevel } from '../../wire/messages.ts'
import type { PivotContent } from '../scenario/scenario.ts'
import type { ToolSpec } from '../assistant/tools.ts'
import type { Policy } from './policy.ts'

export type NodeId = string

/** The id of one graph in a linked set: `id@version`. */
export type ModuleId = string

/** Content of a scenario that was put into a node, as the node's content source says. */
export interface BoundContent {
  /** The term of the content source that names this content: `decision_facts`, `key_reveal` … */
  readonly source: string
  readonly lines: readonly string[]
}

/**
 * The graph of a walk: a backbone bound to one colleague's content, or a context graph linked with every graph it
 * refers to. A graph is plain data, so that it can be stored and hashed.
 */
export interface Graph {
  /** The version of this data format, so that code can still read older stored graphs. */
  readonly ir: 2
  readonly id: string
  readonly version: number
  /** A hash of all other fields. The hash identifies a graph, but is not cryptographic. */
  readonly hash: string
  /** The first node for a new learner. */
  readonly entry: NodeId
  /** The first node for a returning learner. */
  readonly returning: NodeId
  readonly terminal: NodeId
  readonly policy: Policy
  readonly nodes: Readonly<Record<NodeId, GraphNode>>
  /** The ids of `nodes` in the author's order. The nodes of referenced graphs come last. */
  readonly order: readonly NodeId[]
  readonly modules: Readonly<Record<ModuleId, Module>>
  readonly behaviors: readonly BehaviorSet[]
  readonly migrations: readonly Migration[]
  readonly closing: GraphClosing
  /** The first line of the conversation, which the colleague speaks unasked. Absent if the learner speaks first. */
  readonly opening?: SpokenOpening
}

/** A line that the service puts at the beginning of a conversation, in place of a turn in the entry node. */
export interface SpokenOpening {
  /** The node whose purpose the line serves. A walk begins after this node, with the node visited and satisfied. */
  readonly node: NodeId
  readonly text: string
}

/** What all nodes of one graph in a linked set have in common. */
export interface Module {
  readonly id: ModuleId
  readonly graph: string
  readonly version: number
  /**
   * The purpose of the conversation: the first of a briefing's three levels (purpose, map, state). Empty for a
   * backbone.
   */
  readonly description: string
  /** The map as text: the second of a briefing's three levels. Empty for a backbone. */
  readonly topology: string
  readonly terminal: NodeId
  /** True if the terminal state speaks before it returns to a calling graph. If false, the return is silent. */
  readonly speaksAtReturn: boolean
}

/** Describes how a walk moves from an older version of the graph to this version. */
export interface Migration {
  readonly from: number
  /** The new node id for each old node id that was renamed. Other nodes keep their ids. */
  readonly nodes: Readonly<Record<NodeId, NodeId>>
  readonly unknown: UnknownNodePolicy
}

/** What happens to a walk whose node no longer exists. A walk restarts only if the author wrote `restart`. */
export type UnknownNodePolicy = 'fail' | 'restart' | 'nearest-ancestor'

/** What a learner gets at the end of a conversation: the objective, the document and the next colleague. */
export interface GraphClosing {
  readonly objective: { readonly id: string; readonly title: string }
  readonly document: DocumentView | null
  readonly next: (PersonView & { readonly why: string }) | null
}

export type NodeKind = GraphNode['kind']

/**
 * A node of a graph. An exchange happens in a speaking node. The walker passes every other node within an exchange, and
 * no learner sees such a node.
 */
export type GraphNode = SpeakNode | PivotNode | DecideNode | RecallNode | ReflectNode | AnnotateNode | EffectNode
export type SpeakingNode = SpeakNode | PivotNode
export type SilentNode = Exclude<GraphNode, SpeakingNode>

interface NodeBase {
  readonly id: NodeId
  readonly module: ModuleId
  /** The node's purpose: a backbone's intent, a state's objective. */
  readonly intent: string
  /** The exits in the order in which the walker tries them. */
  readonly exits: readonly Exit[]
}

interface SpeakingBase extends NodeBase {
  /**
   * The condition under which the actor reports the node as satisfied; null if the actor judges nothing in this node.
   */
  readonly satisfyWhen: string | null
  /**
   * Who satisfies the node. `learner`: the learner, by an acknowledgement, an answer or a position; if the learner has
   * done so, the actor may go on to the next node in the same reply. `speaker`: the colleague, by having said
   * something. Absent in graphs in which one reply serves only one node.
   */
  readonly landsOn?: 'learner' | 'speaker'
  /**
   * What the actor does after the first turn of a visit while the node is not satisfied: one entry for each further
   * turn. When the entries are used up, a gate ends the conversation as soon as the learner asks nothing more
   * (`waitsForQuestion`), and in any other node the last entry counts again. Absent or empty: the actor gets a general
   * instruction.
   */
  readonly stay?: readonly string[]
  readonly content: readonly BoundContent[]
  readonly minTurns: number
  readonly maxTurns: number | null
  readonly isGate: boolean
  readonly selfLoop: boolean
  readonly overlay: Overlay | null
  /** The actions, in the author's order. The actor selects one each turn. Empty for a backbone's node. */
  readonly actions: readonly string[]
  readonly guidelines: Guidelines
  /** The names in the state's `included_contexts`. Each adds a text, such as `knowledge`, to the actor's prompt. */
  readonly contexts: readonly string[]
  /** Labels for each message spoken in this node. The labels are stored only in the log. */
  readonly messageMetadata: readonly string[]
  /** What may be used before a reply in this node. Absent: nothing. */
  readonly tools?: readonly ToolSpec[]
}

/** A node in which a colleague talks. */
export interface SpeakNode extends SpeakingBase {
  readonly kind: 'speak'
}

/** A node in which a colleague asks a question and the learner picks an answer. */
export interface PivotNode extends SpeakingBase {
  readonly kind: 'pivot'
  readonly pivot: PivotContent
}

/** A node in which the actor chooses one of the exits, without speaking. */
export interface DecideNode extends NodeBase {
  readonly kind: 'decide'
  readonly guidelines: readonly string[]
}

/** A node that looks up memories. If `queries` is null, the actor writes the queries from `requested`. */
export interface RecallNode extends NodeBase {
  readonly kind: 'recall'
  readonly queries: readonly string[] | null
  readonly requested: string | null
}

/** A node in which the actor concludes something for later, within a word limit. */
export interface ReflectNode extends NodeBase {
  readonly kind: 'reflect'
  readonly problem: string
  readonly wordLimit: number
}

/** A node that adds an author's note to the actor's thoughts and to the log. */
export interface AnnotateNode extends NodeBase {
  readonly kind: 'annotate'
  readonly thought: string
}

/** A node that sends an event or an email. */
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
 * @throws Error if the graph has no such node; the lint rules out such an id for every served graph
 */
export function nodeOf(graph: Graph, id: NodeId): GraphNode {
  const node = graph.nodes[id]
  if (!node) throw new Error(`graph ${graph.id} has no node ${id}`)
  return node
}

/** Returns true for a speaking node. */
export function speaks(node: GraphNode): node is SpeakingNode {
  return node.kind === 'speak' || node.kind === 'pivot'
}

/**
 * An exit of a node. The walker takes a guarded exit if its guard holds; an actor selects a choice exit, which only
 * context graphs have.
 */
export type Exit = GuardedExit | ChoiceExit

interface ExitBase {
  readonly id: string
  /** The next node. Null: the exit ends the conversation or, in a called graph, the call. */
  readonly to: NodeId | null
  /** For a call: the node to go on with when the called graph ends. */
  readonly returnTo: NodeId | null
}

/**
 * An exit with a condition. Once the walk may leave the node, the walker takes the first exit of this kind whose
 * condition holds.
 */
export interface GuardedExit extends ExitBase {
  readonly by: 'guard'
  /** The guard; null means that the walker may always take the exit. */
  readonly when: Guard | null
}

/** An exit that the actor selects by its description. */
export interface ChoiceExit extends ExitBase {
  readonly by: 'choice'
  readonly description: string
  /** True for a safety exit: one for an emergency, or for a learner who wants to stop. */
  readonly isSafety: boolean
}

export function isGuarded(exit: Exit): exit is GuardedExit {
  return exit.by === 'guard'
}

export function isChoice(exit: Exit): exit is ChoiceExit {
  return exit.by === 'choice'
}

/** One elementary condition of a guard. */
export type Condition =
  | { readonly relationship: { readonly atLeast: RelationshipLevel } }
  /** Holds once this node is satisfied. */
  | { readonly satisfied: NodeId }

/** Conditions as data, so that code can store, draw, check and explore them. */
export type Guard =
  | Condition
  | { readonly all: readonly Guard[] }
  | { readonly any: readonly Guard[] }
  | { readonly not: Guard }

/** Returns the conditions in a guard, including negated ones. */
export function conditionsIn(guard: Guard): readonly Condition[] {
  if ('all' in guard) return guard.all.flatMap(conditionsIn)
  if ('any' in guard) return guard.any.flatMap(conditionsIn)
  return 'not' in guard ? conditionsIn(guard.not) : [guard]
}

/** Returns every node that an exit of this node names. For a call these are the called node and the return node. */
export function targetsOf(node: GraphNode): readonly NodeId[] {
  return node.exits.flatMap(targetsOfExit)
}

function targetsOfExit({ to, returnTo }: Exit): readonly NodeId[] {
  return [to, returnTo].filter((id) => id !== null)
}

/** Returns true if this node is the terminal node of its graph, where a call of that graph ends. */
export function isModuleTerminal(graph: Graph, node: GraphNode): boolean {
  return graph.modules[node.module]?.terminal === node.id
}

/** Returns true if a walk that reaches this node in a called graph returns to the calling graph without speaking. */
export function isSilentReturn(graph: Graph, node: GraphNode): boolean {
  return isModuleTerminal(graph, node) && graph.modules[node.module]?.speaksAtReturn !== true
}

/** Returns a node's name as its author wrote it, without its graph's id. */
export function stateName({ id, module }: Pick<GraphNode, 'id' | 'module'>): string {
  const prefix = `${module}/`
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}

/** Returns the author's name for a node with its graph's id: `breathing.intro`. */
export function stateOfGraph(graph: Graph, node: Pick<GraphNode, 'id' | 'module'>): string {
  return `${graph.modules[node.module]?.graph ?? node.module}.${stateName(node)}`
}

/** An author's instructions to the speaker of a state. Every action state also gets the graph's global guidelines. */
export interface Guidelines {
  readonly navigation: readonly string[]
  readonly action: readonly string[]
  readonly boundary: readonly Boundary[]
}

export interface Boundary {
  readonly text: string
  /** True if no behavior can remove this boundary. */
  readonly isHard: boolean
}

export const NO_GUIDELINES: Guidelines = { navigation: [], action: [], boundary: [] }

/**
 * A behavior: instructions that are added to a state's own instructions, or replace them, while the conversation is
 * about one of the behavior's topics. A behavior never changes the graph or its exits.
 */
export interface BehaviorSet {
  readonly id: string
  readonly version: number
  /** Topics that activate the behavior, in natural language; 1 to 50. */
  readonly triggers: readonly string[]
  readonly mode: 'merge' | 'overwrite'
  readonly guidelines: Guidelines
}

/**
 * Tells whether a gate whose ways (`stay`) are used up waits for a learner who asks something, because nobody is shown
 * the door with a question on their lips. It waits for a few exchanges only.
 *
 * @param exchanges the exchanges of the visit before this one
 */
export function waitsForQuestion(
  { isGate, stay = [] }: Pick<SpeakingBase, 'isGate' | 'stay'>,
  exchanges: number,
  isQuestion: boolean,
): boolean {
  return isGate && isQuestion && stay.length > 0 && exchanges >= stay.length && exchanges < stay.length + MOST_WAITED
}

const MOST_WAITED = 3
