import type { RelationshipLevel } from '../../wire/messages.ts'
import type { NodeId } from './graph.ts'

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
