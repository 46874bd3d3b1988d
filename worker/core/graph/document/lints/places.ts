import type { GraphDocument, StateDocument } from '../document.ts'
import { moduleOf } from '../linked-set.ts'
import type { Leg, Stop } from '../routes.ts'
import { readCall } from './calls.ts'
import type { Graphs } from './subject.ts'
import { ownTarget, type Way, waysOf } from './ways.ts'

/** Names one state among those of several graphs: `id@version/state`. */
export type StateKey = string

/** A state where it stands among the states of all the graphs a walk can pass through. */
export interface Place extends Stop {
  readonly document: GraphDocument
  readonly state: StateDocument
}

export function keyOf(document: GraphDocument, state: string): StateKey {
  return `${moduleOf(document)}/${state}`
}

/** The states of a document and of every graph it refers to, the document's own first. What is missing is left out. */
export function placesOf(graphs: Graphs): ReadonlyMap<StateKey, Place> {
  return new Map(
    [...graphs.values()].flatMap((graph) =>
      graph.states.map((state): [StateKey, Place] => [keyOf(graph, state.name), placeOf(graph, state, graphs)]),
    ),
  )
}

function placeOf(document: GraphDocument, state: StateDocument, graphs: Graphs): Place {
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
