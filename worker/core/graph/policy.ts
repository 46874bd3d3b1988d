import type { RelationshipLevel } from '../../wire/messages.ts'

/** The numbers that bound a walk. Part of the graph, so a session pins them with it. */
export interface Policy {
  /** Consecutive exchanges without a pointer move that lead to the terminal node. */
  readonly stallBackstop: number
  /** Unsatisfied detours a node forgives without counting them as dwell. */
  readonly detourGrace: number
  /** Exchanges a pivot waits for a choice after it was armed. */
  readonly pivotPatience: number
  /** Exchanges after which the conversation is led to its terminal node wherever it stands; null: no such limit. */
  readonly exchangeLimit: number | null
  /** Bounds on what may happen inside one exchange of a context graph. */
  readonly inside: InsidePolicy
  readonly relationship: RelationshipPolicy
}

export interface InsidePolicy {
  /** Silent nodes passed in one exchange; one more, and it goes back to where it began. */
  readonly silentSteps: number
  /** Exits chosen from speaking nodes in one exchange; after that only actions are offered. */
  readonly hops: number
  /** Calls inside calls. */
  readonly depth: number
  /** Exchanges a behavior outlasts its last match. */
  readonly behaviorPatience: number
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
  exchangeLimit: null,
  inside: { silentSteps: 16, hops: 3, depth: 8, behaviorPatience: 2 },
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
