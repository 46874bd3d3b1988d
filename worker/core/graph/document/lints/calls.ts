import type { GraphDocument } from '../document.ts'
import { moduleOf } from '../linked-set.ts'
import type { Graphs } from './subject.ts'

/** What a call names: a state of another graph, or the first thing about it that is not there. */
export type Call =
  | { readonly kind: 'state'; readonly graph: GraphDocument; readonly state: string }
  | { readonly kind: 'no-state'; readonly graph: GraphDocument; readonly state: string }
  | { readonly kind: 'no-graph' }
  | { readonly kind: 'no-reference'; readonly reference: string }

/** Looks a call of the form `reference.state` up (S0-29). */
export function readCall(caller: GraphDocument, call: string, graphs: Graphs): Call {
  const [reference = '', ...rest] = call.split('.')
  const state = rest.join('.')
  if (!Object.hasOwn(caller.references, reference)) return { kind: 'no-reference', reference }
  const known = caller.references[reference]
  const graph = known && graphs.get(moduleOf(known))
  if (!graph) return { kind: 'no-graph' }
  return { kind: graph.states.some(({ name }) => name === state) ? 'state' : 'no-state', graph, state }
}
