import type { Graph, NodeId } from '../graph/graph.ts'
import type { SendEffect, Thought } from './event.ts'
import { levelOf, type Relationship } from './relationship.ts'

/**
 * One conversation's position and history in a graph. Plain data: it is stored as JSON, compared by value and never
 * changed in place.
 */
export interface Walk {
  /** The shape of this record. `readWalk` refuses every other one. */
  readonly v: 1
  /** Which walker walks it, from its first turn to its last. */
  readonly engine: 'graph' | 'legacy'
  /** The graph this walk was begun on, and goes on with. */
  readonly graph: { readonly id: string; readonly version: number; readonly hash: string }
  /** Exchanges applied so far. The next turn is `seq + 1`. */
  readonly seq: number
  /** The pointer. Between turns it is at a node that speaks. */
  readonly node: NodeId
  /** Where to go on when a called graph comes to its end, outermost first. */
  readonly stack: readonly NodeId[]
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
  /** Ids of every command given out and of everything sent. */
  readonly emitted: readonly string[]
  /** The actor's notes, conclusions and memories, oldest first. */
  readonly thoughts: readonly Thought[]
  /** Every query asked so far. */
  readonly queries: readonly string[]
  /** Actions engaged in this visit, in order. */
  readonly engaged: readonly number[]
  readonly behavior: ActiveBehavior | null
  /** Behaviors activated so far; the next activation's id follows from it. */
  readonly activations: number
  /** The backstop, the limit of exchanges or a safety exit has led to the terminal node. */
  readonly isCutShort: boolean
  /** The turn that is under way. Null in every stored walk. */
  readonly open: OpenTurn | null
  readonly end: End | null
}

interface Visit {
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
  /** The walk that a loop of silent nodes goes back to: before the reply, the walk at rest; after it, the walk that was decided on. */
  readonly home: Walk
  /** The overlay opened for this turn; it counts as shown only when the turn is reported. */
  readonly overlay: string | null
  /** The request that the turn waits for. Null while the actor speaks. */
  readonly waiting: PendingRequest | null
  /** Requests made so far; the next one's id follows from it. */
  readonly requests: number
  /** Silent nodes passed in this turn. */
  readonly silentSteps: number
  /** Exits chosen from speaking nodes in this turn. */
  readonly hops: number
  /** Silent nodes passed since something new was learned: none of them may come again. */
  readonly passed: readonly NodeId[]
  /** The action the actor engages in, where the node has actions. */
  readonly action: number | null
  /** The reply is there; what is left of the turn is to come to rest. */
  readonly isSpoken: boolean
  /** The side effects that go out when the turn is complete. */
  readonly sends: readonly SendEffect[]
}

export interface PendingRequest {
  readonly request: string
  readonly for: 'behavior' | 'selection' | 'recall' | 'reflection'
  /** Answers to this question that could not be taken. */
  readonly refusals: number
}

interface ActiveBehavior {
  /** Unique in a conversation. */
  readonly activation: string
  readonly behavior: string
  /** Exchanges since it last matched. */
  readonly quiet: number
}

export interface End {
  /** `earned`: every gate was satisfied and nothing cut it short. `forced`: it was cut short. */
  readonly completion: 'earned' | 'forced'
}

/**
 * Reads a stored walk.
 *
 * @throws when a later version of this code wrote it in a shape that this one does not know
 */
export function readWalk(text: string): Walk {
  const walk = JSON.parse(text) as Walk
  if (walk.v !== 1) throw new Error('this version does not know the shape of the stored walk')
  return walk
}

/** A new walk at a graph's entry for a new learner, or at its entry for a returning one. */
export function startWalk(graph: Graph, person: 'new' | 'returning' = 'new'): Walk {
  const score = graph.policy.relationship.start
  const entry = person === 'new' ? graph.entry : graph.returning
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
    visits: [{ node: entry, exchanges: 0 }],
    satisfied: [],
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

/** A turn in which nothing has happened yet. `home` is the walk at rest. */
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
