import type { RelationshipLevel } from '../../wire/messages.ts'

/** The numbers that bound a walk. They are part of the graph, so a session pins them too. */
export interface Policy {
  /** Consecutive exchanges without a move; then the walker goes to the terminal node. */
  readonly stallBackstop: number
  /** Unsatisfied detours that a node does not count as dwell. */
  readonly detourGrace: number
  /** Exchanges that an armed pivot waits for a choice. */
  readonly pivotPatience: number
  /** Exchanges after which the walker goes to the terminal node from anywhere; null means no limit. */
  readonly exchangeLimit: number | null
  /** Limits inside one exchange of a context graph. */
  readonly inside: InsidePolicy
  readonly relationship: RelationshipPolicy
}

export interface InsidePolicy {
  /** Silent nodes in one exchange; with one more, the walk returns to its start. */
  readonly silentSteps: number
  /** Exits chosen from speaking nodes in one exchange; then the walker offers only actions. */
  readonly hops: number
  /** Calls inside calls. */
  readonly depth: number
  /** Exchanges that a behavior stays active after its last match. */
  readonly behaviorPatience: number
}

export interface RelationshipPolicy {
  readonly start: number
  readonly lowest: number
  readonly highest: number
  /** The lowest score of each level, coldest first. Scores below the first have the first level. */
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
