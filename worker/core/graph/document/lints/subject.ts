import type { Npc } from '../../../scenario/scenario.ts'
import type { ModuleId } from '../../graph.ts'
import type { GraphDocument, StateDocument, ExitDocument, TargetDocument } from '../document.ts'
import { linkedSet, moduleOf } from '../linked-set.ts'
import type { Leg, Stop } from '../routes.ts'
import { pointerTo } from '../../finding.ts'

/** A document, and what its lints need to know besides the document. */
export interface Subject {
  readonly document: GraphDocument
  /** The colleague whose conversations follow the graph; null if a file is checked by itself. */
  readonly npc: Npc | null
  readonly graphs: Graphs
  /** The states of the document and of every graph it refers to, directly or not. */
  readonly places: ReadonlyMap<StateKey, StatePlace>
}

/** A document and every graph in the library that it refers to, directly or not. */
export type Graphs = ReadonlyMap<ModuleId, GraphDocument>

/** Collects what the lints of one document share. */
export function lintSubject(
  document: GraphDocument,
  { library, npc }: { readonly library: readonly GraphDocument[]; readonly npc: Npc | null },
): Subject {
  const graphs = new Map(linkedSet(document, library).map((linked) => [moduleOf(linked.document), linked.document]))
  return { document, npc, graphs, places: statePlaces(graphs) }
}

/** Identifies one state among those of several graphs: `id@version/state`. */
export type StateKey = string

/** A state among the states of all graphs that a walk can pass through. */
export interface StatePlace extends Stop {
  readonly document: GraphDocument
  readonly state: StateDocument
}

export function keyOf(document: GraphDocument, state: string): StateKey {
  return `${moduleOf(document)}/${state}`
}

/** Returns the states of a document, then those of every graph it refers to. Missing graphs are skipped. */
function statePlaces(graphs: Graphs): ReadonlyMap<StateKey, StatePlace> {
  return new Map(
    [...graphs.values()].flatMap((graph) =>
      graph.states.map((state): [StateKey, StatePlace] => [keyOf(graph, state.name), placeOf(graph, state, graphs)]),
    ),
  )
}

function placeOf(document: GraphDocument, state: StateDocument, graphs: Graphs): StatePlace {
  const isTerminal = state.name === document.terminalState
  const legs = waysOf(state).map((way) => legOf(document, way, graphs))
  return { document, state, isTerminal, legs }
}

function legOf(document: GraphDocument, { target, exit }: Way, graphs: Graphs): Leg {
  const isSafety = exit?.isSafety === true
  const own = ownTarget(target)
  const next = document.states.some(({ name }) => name === own) ? keyOf(document, own) : null
  if (typeof target === 'string') return { to: next, returnTo: null, isCall: false, isSafety }
  const call = readCall(document, target.call, graphs)
  return { to: call.kind === 'state' ? keyOf(call.graph, call.state) : null, returnTo: next, isCall: true, isSafety }
}

/** The state of another graph that a call names, or the first part of the call that does not exist. */
export type Call =
  | { readonly kind: 'state'; readonly graph: GraphDocument; readonly state: string }
  | { readonly kind: 'no-state'; readonly graph: GraphDocument; readonly state: string }
  | { readonly kind: 'no-graph' }
  | { readonly kind: 'no-reference'; readonly reference: string }

/** Looks up a call of the form `reference.state`. */
export function readCall(caller: GraphDocument, call: string, graphs: Graphs): Call {
  const [reference = '', ...rest] = call.split('.')
  const state = rest.join('.')
  if (!Object.hasOwn(caller.references, reference)) return { kind: 'no-reference', reference }
  const known = caller.references[reference]
  const graph = known && graphs.get(moduleOf(known))
  if (!graph) return { kind: 'no-graph' }
  return { kind: graph.states.some(({ name }) => name === state) ? 'state' : 'no-state', graph, state }
}

/** An exit of a state, and its place in the document. */
export interface Way {
  readonly at: string
  /** The exit and its JSON pointer; null in a state with one `next_state` and no conditions. */
  readonly exit: (ExitDocument & { readonly at: string }) | null
  readonly target: TargetDocument
}

/** Returns all exits of a state, in the author's order. */
export function waysOf(state: StateDocument): readonly Way[] {
  if ('nextStates' in state)
    return state.nextStates.map((target) => ({ at: atState(state, 'next_state'), exit: null, target }))
  return state.exits.map((exit, index) => {
    const at = atState(state, 'exit_conditions', index)
    return { at: `${at}/next_state`, exit: { ...exit, at }, target: exit.nextState }
  })
}

/** Returns the JSON pointer to a state, or to a value in it. */
export function atState(state: Pick<StateDocument, 'name'>, ...keys: readonly (string | number)[]): string {
  return pointerTo('states', state.name, ...keys)
}

/** Returns the next state within the same graph: the target itself, or the state that a call returns to. */
export function ownTarget(target: TargetDocument): string {
  return typeof target === 'string' ? target : target.returnTo
}
