import type { Graph, NodeId } from '../graph/graph.ts'
import type { MessageHints, SendEffect, Thought } from './event.ts'
import { levelOf, type Relationship } from './relationship.ts'

/**
 * One conversation's position and history in a graph. A walk is plain data: it is stored as JSON, compared by value and
 * never changed in place.
 */
export interface Walk {
  /** The version of this record's format. `readWalk` refuses every other version. */
  readonly v: 1
  /** The walker that runs this walk from its first turn to its last. */
  readonly engine: 'graph' | 'legacy'
  /** The graph that this walk follows. Only a migration changes the graph of a walk. */
  readonly graph: { readonly id: string; readonly version: number; readonly hash: string }
  /** The number of exchanges so far. The next turn is `seq + 1`. */
  readonly seq: number
  /** The pointer: the current node. Between turns it is a speaking node. */
  readonly node: NodeId
  /** The nodes to which the calls under way return, outermost call first. */
  readonly stack: readonly NodeId[]
  /** The dwell: the number of exchanges in this visit that count towards `maxTurns`. */
  readonly turns: number
  /** The number of exchanges in this visit that are not counted in `turns`, because the learner was off-topic. */
  readonly graceUsed: number
  /** The number of exchanges since the pointer last moved, including those that `turns` leaves out. */
  readonly stall: number
  /** Every visit of a node, oldest first. The last one is the visit of the current node. */
  readonly visits: readonly Visit[]
  readonly satisfied: readonly NodeId[]
  readonly forced: readonly NodeId[]
  readonly overlays: readonly string[]
  readonly pivots: Readonly<Record<NodeId, PivotState>>
  readonly relationship: Relationship
  /** The ids of every command and side effect given out. */
  readonly emitted: readonly string[]
  /** The annotations, conclusions and memories that the actor keeps in mind, oldest first. */
  readonly thoughts: readonly Thought[]
  readonly queries: readonly string[]
  /** The indexes of the actions engaged in this visit, in order. */
  readonly engaged: readonly number[]
  /** How many messages in a row, up to the learner's latest message, say goodbye in plain words. Absent means 0. */
  readonly goodbyes?: number
  readonly behavior: ActiveBehavior | null
  /** The number of behavior activations so far, from which the next activation's id follows. */
  readonly activations: number
  /** True once `stallBackstop`, `exchangeLimit` or a safety exit has led the walk to the terminal node. */
  readonly isCutShort: boolean
  /** The current turn. Null between two turns, and so in every stored walk. */
  readonly open: OpenTurn | null
  readonly end: End | null
  /** How many questions the colleague has answered after the end of the conversation. Absent means 0. */
  readonly afters?: number
  /** How often the learner has taken a goodbye back. Absent means 0. */
  readonly resumed?: number
}

interface Visit {
  readonly node: NodeId
  readonly exchanges: number
}

/** Counts one more exchange in the last visit. */
export function withExchange(visits: Walk['visits']): Walk['visits'] {
  return visits.map((visit, i) => (i === visits.length - 1 ? { ...visit, exchanges: visit.exchanges + 1 } : visit))
}

export type PivotState =
  | {
      readonly state: 'armed'
      /** The number of exchanges since the colleague first asked the fork's question. */
      readonly unanswered: number
      /** How often the colleague has asked the fork's question. Absent means once. */
      readonly asked?: number
    }
  | {
      readonly state: 'chosen'
      /** The picked choice; null if the learner answered in words of their own, which fit no choice. */
      readonly choice: string | null
      /** Present if the learner typed the answer, so that it may have been misread. */
      readonly isTyped?: true
    }
  | { readonly state: 'passed' }

export interface OpenTurn {
  readonly turnId: string
  /**
   * The walk to which the turn goes back if its silent nodes form a loop. Before the reply, this is the walk at rest.
   * After the reply, it is the walk with this exchange counted, before the pointer moves.
   */
  readonly home: Walk
  /** The id of the overlay that opened for this turn. The overlay counts as shown only after the turn's report. */
  readonly overlay: string | null
  /** The request whose answer the turn waits for; null while the actor speaks. */
  readonly waiting: PendingRequest | null
  /** The number of requests so far, from which the next request's id follows. */
  readonly requests: number
  readonly silentSteps: number
  /** The number of exits selected in speaking nodes in this turn. */
  readonly hops: number
  /**
   * The silent nodes that this turn has passed and may not pass again. A recall that finds memories empties this list.
   */
  readonly passed: readonly NodeId[]
  /** The next node, if the actor may go on to it in the same reply; null or absent if not. */
  readonly ahead?: NodeId | null
  /** Whether the words of the learner's message take leave or ask something. Absent means neither. */
  readonly hints?: MessageHints
  /** The index of the selected action; null if the node has no actions. */
  readonly action: number | null
  /** True once the reply is complete. The walker then only moves the pointer to a speaking node and closes the turn. */
  readonly isSpoken: boolean
  /** The side effects that go out when the turn is complete. */
  readonly sends: readonly SendEffect[]
}

export interface PendingRequest {
  readonly request: string
  readonly for: 'behavior' | 'selection' | 'recall' | 'reflection'
  /** The number of answers to this selection that were missing, or that named nothing that was offered. */
  readonly refusals: number
}

interface ActiveBehavior {
  readonly activation: string
  readonly behavior: string
  /** The number of exchanges since this behavior last matched. */
  readonly quiet: number
}

export interface End {
  /** `earned`: every gate was satisfied and nothing cut the conversation short. `forced`: any other end. */
  readonly completion: 'earned' | 'forced'
  /** True if the learner took their leave. */
  readonly isLeft?: true
}

/**
 * Parses a stored walk.
 *
 * @throws if the stored walk has a version that this code does not support
 */
export function readWalk(text: string): Walk {
  const walk = JSON.parse(text) as Walk
  if (walk.v !== 1) throw new Error('this version does not know the shape of the stored walk')
  return walk
}

/** Starts a walk at the graph's entry for new learners, or at the graph's entry for returning learners. */
export function startWalk(graph: Graph, person: 'new' | 'returning' = 'new'): Walk {
  const score = graph.policy.relationship.start
  const { opening } = graph
  const entry = person === 'new' ? graph.entry : graph.returning
  const spoken = opening ? [opening.node] : []
  return {
    v: 1,
    engine: 'graph',
    graph: { id: graph.id, version: graph.version, hash: graph.hash },
    seq: 0,
    node: entry,
    stack: [],
    turns: 0,
    graceUsed: 0,
    stall: 0,
    visits: [...spoken, entry].map((node) => ({ node, exchanges: 0 })),
    satisfied: spoken,
    forced: [],
    overlays: [],
    pivots: {},
    relationship: { score, level: levelOf(score, graph.policy.relationship) },
    emitted: [],
    thoughts: [],
    queries: [],
    engaged: [],
    behavior: null,
    activations: 0,
    isCutShort: false,
    open: null,
    end: null,
  }
}

/** Returns a new open turn. `home` is the walk at rest. */
export function newTurn(home: Walk, turnId: string): OpenTurn {
  return {
    turnId,
    home,
    overlay: null,
    waiting: null,
    requests: 0,
    silentSteps: 0,
    hops: 0,
    passed: [],
    action: null,
    isSpoken: false,
    sends: [],
  }
}
