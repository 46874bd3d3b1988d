import type { RelationshipLevel } from '../../wire/messages.ts'

/** The numbers that bound a walk. Part of the graph, so a session pins them with it. */
export interface Policy {
  /** Consecutive exchanges without a pointer move that lead to the terminal node. */
  readonly stallBackstop: number
  /** Unsatisfied detours a node forgives without counting them as dwell. */
  readonly detourGrace: number
  /** Exchanges a pivot waits for a choice after it was armed. */
  readonly pivotPatience: number
  readonly relationship: RelationshipPolicy
}

export interface RelationshipPolicy {
  readonly start: number
  readonly lowest: number
  readonly highest: number
  /** The score from which each level holds, coldest first; below the first, the first holds. */
  readonly levels: readonly { readonly level: RelationshipLevel; readonly from: number }[]
}

export const DEFAULT_POLICY: Policy = {
  stallBackstop: 6,
  detourGrace: 1,
  pivotPatience: 2,
  relationship: {
    start: 0,
    lowest: -30,
    highest: 30,
    levels: [
      { level: 'hostile', from: -30 },
      { level: 'guarded', from: -9 },
      { level: 'neutral', from: -3 },
      { level: 'cooperative', from: 8 },
      { level: 'trusting', from: 18 },
    ],
  },
}
