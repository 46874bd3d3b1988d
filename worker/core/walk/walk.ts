import type { Graph, NodeId, PivotNode } from '../graph/graph.ts'
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
  /** The graph that this walk is pinned to. Only a migration changes it. */
  readonly graph: { readonly id: string; readonly version: number; readonly hash: string }
  /** The number of exchanges so far. The next turn is `seq + 1`. */
  readonly seq: number
  /** The pointer: the current node. Between turns it is a speaking node. */
  readonly node: NodeId
  /** The return points of the calls that the walk is in, outermost first. */
  readonly stack: readonly NodeId[]
  /** The dwell: the number of exchanges in this visit that count towards `maxTurns`. */
  readonly turns: number
  /** The number of detours that were forgiven in this visit, and therefore not counted in `turns`. */
  readonly graceUsed: number
  /** The number of exchanges since the pointer last moved, forgiven exchanges included. */
  readonly stall: number
  /** Every visit in order. The pointer is in the last visit. */
  readonly visits: readonly Visit[]
  readonly satisfied: readonly NodeId[]
  readonly forced: readonly NodeId[]
  /** The ids of the overlays that were shown. */
  readonly overlays: readonly string[]
  readonly pivots: Readonly<Record<NodeId, PivotState>>
  readonly relationship: Relationship
  /** The ids of every command and side effect given out. */
  readonly emitted: readonly string[]
  /** The annotations, conclusions and memories that the actor keeps in mind, oldest first. */
  readonly thoughts: readonly Thought[]
  /** Every memory query so far. */
  readonly queries: readonly string[]
  /** The indexes of the actions engaged in this visit, in order. */
  readonly engaged: readonly number[]
  /** How many of the learner's latest messages in a row take leave in plain words. Absent in older walks: none. */
  readonly goodbyes?: number
  readonly behavior: ActiveBehavior | null
  /** The number of behavior activations so far, from which the next activation's id follows. */
  readonly activations: number
  /** True once the backstop, the exchange limit or a safety exit has led to the terminal node. */
  readonly isCutShort: boolean
  /** The current turn. Null in every stored walk. */
  readonly open: OpenTurn | null
  readonly end: End | null
  /** How many questions were answered after the end. Absent: none. */
  readonly afters?: number
  /** How often the learner has taken a goodbye back. Absent: never. */
  readonly resumed?: number
}

interface Visit {
  readonly node: NodeId
  readonly exchanges: number
}

export type PivotState =
  | {
      readonly state: 'armed'
      /** The number of exchanges since the colleague first asked. */
      readonly unanswered: number
      /** How often the colleague has asked. Absent in older walks: once. */
      readonly asked?: number
    }
  | {
      readonly state: 'chosen'
      /** The picked choice; null if it is unknown. The current code never writes null here. */
      readonly choice: string | null
    }
  | { readonly state: 'passed' }

export interface OpenTurn {
  readonly turnId: string
  /**
   * The walk that a loop of silent nodes returns to: before the reply, the walk at rest; after the reply, the walk
   * after the decision.
   */
  readonly home: Walk
  /** The id of the overlay that opened for this turn. The overlay counts as shown only after the turn's report. */
  readonly overlay: string | null
  /** The request that the turn waits for. Null while the actor speaks. */
  readonly waiting: PendingRequest | null
  /** The number of requests so far, from which the next request's id follows. */
  readonly requests: number
  /** The number of silent nodes passed in this turn. */
  readonly silentSteps: number
  /** The number of exits selected in speaking nodes in this turn. */
  readonly hops: number
  /** The silent nodes passed since a recall last found memories. The turn may pass none of these nodes again. */
  readonly passed: readonly NodeId[]
  /** The node whose purpose the reply may serve as well; null or absent if there is none. */
  readonly ahead?: NodeId | null
  /** What the learner's message shows by its own words. Absent in older walks: nothing. */
  readonly hints?: MessageHints
  /** The index of the selected action; null if the node has no actions. */
  readonly action: number | null
  /** True once the reply is complete; the turn then only has to come to rest. */
  readonly isSpoken: boolean
  /** The side effects that go out when the turn is complete. */
  readonly sends: readonly SendEffect[]
}

export interface PendingRequest {
  readonly request: string
  readonly for: 'behavior' | 'selection' | 'recall' | 'reflection'
  /** The number of answers to this selection that were missing or not among the offers. */
  readonly refusals: number
}

interface ActiveBehavior {
  /** The activation's id, unique in a conversation. */
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

/**
 * Returns the fork that the walk left without an answer just before it came to its node; null if there is none, or if
 * the first exchange in this node is over. An answer in that exchange still counts.
 */
export function lateFork(graph: Graph, walk: Walk): PivotNode | null {
  const visit = walk.visits.at(-1)
  const before = walk.visits.at(-2)?.node
  const node = before === undefined ? undefined : graph.nodes[before]
  if (!graph.policy.forks || node?.kind !== 'pivot' || walk.pivots[node.id]?.state !== 'passed') return null
  return (visit?.exchanges ?? 0) <= (walk.open?.isSpoken ? 1 : 0) ? node : null
}
