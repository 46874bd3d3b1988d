import type { Graph, NodeId } from '../graph/graph.ts'
import { levelOf, type Relationship } from './relationship.ts'

/**
 * One conversation's position and history in a graph. Plain data: it is stored as JSON, compared by value and never
 * changed in place.
 */
export interface Walk {
  readonly v: 1
  readonly engine: 'graph'
  /** The graph this walk was begun on, and goes on with. */
  readonly graph: { readonly id: string; readonly version: number; readonly hash: string }
  /** Exchanges applied so far. The next turn is `seq + 1`. */
  readonly seq: number
  /** The pointer. */
  readonly node: NodeId
  /** Dwell: exchanges in this visit that count towards `maxTurns`. */
  readonly turns: number
  /** Unsatisfied detours forgiven in this visit. */
  readonly graceUsed: number
  /** Exchanges since the pointer last moved, forgiven ones included. */
  readonly stall: number
  /** Every visit in order; the last is the one the pointer is in. */
  readonly visits: readonly Visit[]
  readonly satisfied: readonly NodeId[]
  readonly forced: readonly NodeId[]
  /** Overlays that have been shown. */
  readonly overlays: readonly string[]
  readonly pivots: Readonly<Record<NodeId, PivotState>>
  readonly relationship: Relationship
  /** Ids of every command given out. */
  readonly emitted: readonly string[]
  /** The turn an actor is speaking in, until its report or an abort. */
  readonly open: OpenTurn | null
  readonly end: End | null
}

export interface Visit {
  readonly node: NodeId
  readonly exchanges: number
}

export type PivotState =
  | { readonly state: 'armed'; readonly unanswered: number }
  | {
      readonly state: 'chosen'
      /** Null when a host's four fields were all that was left of it. */
      readonly choice: string | null
    }
  | { readonly state: 'passed' }

export interface OpenTurn {
  readonly turnId: string
  /** The overlay opened for this turn; it counts as shown only when the turn is reported. */
  readonly overlay: string | null
}

export interface End {
  /** `earned`: every gate was satisfied. `forced`: the backstop closed it. */
  readonly completion: 'earned' | 'forced'
}

/** A new walk at the entry of a graph. */
export function startWalk(graph: Graph): Walk {
  const score = graph.policy.relationship.start
  return {
    v: 1,
    engine: 'graph',
    graph: { id: graph.id, version: graph.version, hash: graph.hash },
    seq: 0,
    node: graph.entry,
    turns: 0,
    graceUsed: 0,
    stall: 0,
    visits: [{ node: graph.entry, exchanges: 0 }],
    satisfied: [],
    forced: [],
    overlays: [],
    pivots: {},
    relationship: { score, level: levelOf(score, graph.policy.relationship) },
    emitted: [],
    open: null,
    end: null,
  }
}
