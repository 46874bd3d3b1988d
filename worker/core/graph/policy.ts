import type { RelationshipLevel } from '../../wire/messages.ts'

/**
 * The limits of a walk, and the relationship levels. The policy is part of the graph. So a session keeps its policy as
 * long as it keeps its graph.
 */
export interface Policy {
  /** The number of consecutive exchanges without a move after which the walker goes to the terminal node. */
  readonly stallBackstop: number
  /** How many exchanges of a visit do not count as dwell if the learner is off-topic. */
  readonly detourGrace: number
  /** The number of exchanges that an armed fork waits for a choice. */
  readonly pivotPatience: number
  /**
   * The number of exchanges in a conversation after which the walker goes to the terminal node, wherever the pointer
   * is; null means no limit.
   */
  readonly exchangeLimit: number | null
  /**
   * When the walk leaves a fork without an answer. Absent: after `pivotPatience` exchanges, whatever the learner said,
   * and the `pivot_choice` of a report does not count.
   */
  readonly forks?: ForkPolicy
  /**
   * True if the conversation ends when the learner takes their leave. Absent: the conversation ends only where the
   * graph ends.
   */
  readonly leaving?: boolean
  readonly inside: InsidePolicy
  readonly relationship: RelationshipPolicy
}

export interface ForkPolicy {
  /** How often the colleague asks the fork's question, the first time included. */
  readonly asks: number
  /**
   * The number of exchanges after which the walk leaves an armed fork without an answer, even if the learner asked
   * something else each time.
   */
  readonly exchanges: number
}

export interface InsidePolicy {
  /**
   * The maximum number of silent nodes in one exchange. If the walk reaches another silent node, the walker takes the
   * turn back to its start.
   */
  readonly silentSteps: number
  /**
   * The maximum number of exits that the actor selects in speaking nodes in one exchange. After the last of these
   * exits, the walker offers only actions.
   */
  readonly hops: number
  readonly depth: number
  /** The number of exchanges that a behavior stays active after its last match. */
  readonly behaviorPatience: number
}

export interface RelationshipPolicy {
  readonly start: number
  readonly lowest: number
  readonly highest: number
  /**
   * The lowest score of each level, coldest level first. A score below the first level's lowest score has the first
   * level.
   */
  readonly levels: readonly { readonly level: RelationshipLevel; readonly from: number }[]
}

/** How context graphs treat an unanswered fork. */
export const FORKS: ForkPolicy = { asks: 2, exchanges: 3 }

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
