import type { Graph, NodeId, SpeakingNode } from '../../worker/core/graph/graph.ts'
import { speakingNode } from './edit-graph.ts'

/**
 * Questions that the design's advance algorithm does not answer, each with a possible answer. The design is the first
 * one of the conversation graph. Where the walker has a choice in anything else, it reads the algorithm favourably: it
 * compares levels correctly, and a learner's pick resolves a pivot.
 */
export interface LiteralReading {
  /** Whether the turn count starts again at each new node. The algorithm does not say this. */
  readonly resets: boolean
  /** Whether a learner's pick leads to the next node at once. If false, it does so only in the next turn. */
  readonly resolvesAtOnce: boolean
}

/** The part of a worked example's row that this walker uses: what the report says, and the learner's pick. */
export interface LiteralRow {
  readonly satisfied: boolean
  readonly choose?: { readonly mood: number }
}

interface NpcState {
  readonly node: NodeId | null
  readonly turns: number
  readonly resolved: readonly NodeId[]
  readonly score: number
}

type Ruling = 'stay' | 'arm-pivot' | { readonly goto: NodeId | null }

/**
 * Follows the algorithm through the worked example and returns the node at each row. Null means that the algorithm has
 * moved to no node, and so cannot go on.
 */
export function literalWalk(
  graph: Graph,
  rows: readonly LiteralRow[],
  reading: LiteralReading,
): readonly (NodeId | null)[] {
  let state: NpcState = { node: graph.entry, turns: 0, resolved: [], score: 0 }
  return rows.map((row) => {
    const stood = state.node
    if (stood !== null) state = afterRow(graph, { ...state, node: stood }, row, reading)
    return stood
  })
}

function afterRow(
  graph: Graph,
  state: NpcState & { node: NodeId },
  { satisfied, choose }: LiteralRow,
  { resets, resolvesAtOnce }: LiteralReading,
): NpcState {
  const counted = { ...state, turns: state.turns + 1 }
  const node = literalNode(graph, state.node)
  const ruling = advance(node, satisfied, counted)
  const go = (from: NpcState, to: NodeId | null): NpcState => ({ ...from, node: to, turns: resets ? 0 : from.turns })
  const moved = typeof ruling === 'string' ? counted : go(counted, ruling.goto)
  if (!choose) return moved
  const chosen = { ...moved, resolved: [...moved.resolved, state.node], score: moved.score + choose.mood }
  return resolvesAtOnce && chosen.node === state.node ? go(chosen, nextAfter(node, chosen)) : chosen
}

function advance(node: LiteralNode, satisfied: boolean, state: NpcState): Ruling {
  if (node.isGate && !satisfied) return 'stay'
  if (node.isBranch && !state.resolved.includes(node.id)) return 'arm-pivot'
  if (satisfied && state.turns >= node.minTurns) return { goto: nextAfter(node, state) }
  if (state.turns >= node.maxTurns) return { goto: nextAfter(node, state) }
  return node.selfLoop ? 'stay' : { goto: nextAfter(node, state) }
}

const COOPERATIVE = 8

/**
 * Returns the node to which the algorithm goes. It goes to the reveal again and again, because it never notes that the
 * reveal is done.
 */
function nextAfter({ conditional, advance: to }: LiteralNode, { score }: NpcState): NodeId | null {
  return conditional !== null && score >= COOPERATIVE ? conditional : to
}

interface LiteralNode {
  readonly id: NodeId
  readonly isGate: boolean
  readonly isBranch: boolean
  readonly minTurns: number
  readonly maxTurns: number
  readonly selfLoop: boolean
  readonly conditional: NodeId | null
  readonly advance: NodeId | null
}

const REVEAL = 'KEY_REVEAL'

/**
 * Returns a node as the algorithm sees it. Its conditional edge leads to the node `KEY_REVEAL`, although the design's
 * table of nodes does not have this node.
 */
function literalNode(graph: Graph, id: NodeId): LiteralNode {
  if (id !== REVEAL) return fromGraph(speakingNode(graph, id))
  const host = graph.order.map((other) => speakingNode(graph, other)).find(({ overlay }) => overlay?.id === REVEAL)
  if (!host) throw new Error(`no node leads to ${REVEAL}`)
  return { ...fromGraph(host), id, conditional: null, minTurns: 1, maxTurns: 1, selfLoop: false }
}

function fromGraph({ id, kind, isGate, minTurns, maxTurns, selfLoop, overlay, exits }: SpeakingNode): LiteralNode {
  return {
    id,
    isGate,
    isBranch: kind === 'pivot',
    minTurns,
    maxTurns: maxTurns ?? Number.POSITIVE_INFINITY,
    selfLoop,
    conditional: overlay?.id ?? null,
    advance: exits.at(-1)?.to ?? null,
  }
}
