import type { RelationshipLevel } from '../../wire/messages.ts'
import type { PivotContent } from '../scenario/scenario.ts'

export type NodeId = string

/** `speak`: a colleague talks. `pivot`: a colleague asks, and the learner picks an answer. */
export type NodeKind = 'speak' | 'pivot'

/** A condition as data, so that it can be stored, drawn and explored. */
export type Guard = { readonly relationship: { readonly atLeast: RelationshipLevel } }

/** Content from a scenario, bound to a node by its content source. */
export interface BoundContent {
  /** Which binding it came from: `decision_facts`, `key_reveal` … */
  readonly source: string
  readonly lines: readonly string[]
}
