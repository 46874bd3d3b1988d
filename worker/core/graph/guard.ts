import type { RelationshipLevel } from '../../wire/messages.ts'
import type { NodeId } from './graph.ts'

/** A condition as data, so that it can be stored, drawn, checked and explored. */
export type Guard =
  | { readonly relationship: { readonly atLeast: RelationshipLevel } }
  /** The node was left satisfied at some time in this conversation. */
  | { readonly satisfied: NodeId }
  | { readonly all: readonly Guard[] }
  | { readonly any: readonly Guard[] }
  | { readonly not: Guard }
