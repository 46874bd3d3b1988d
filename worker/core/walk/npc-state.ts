import { type Graph, type NodeId, nodeOf, speaks, type UnknownNodePolicy } from '../graph/graph.ts'
import { leaveTerminal } from './move.ts'
import { levelOf } from './relationship.ts'
import { startWalk, type Visit, type Walk } from './walk.ts'

/** The four fields that ride inside a host's `npc_states` (S3-44). Names are the host's. */
export interface NpcState {
  readonly current_node: NodeId
  readonly node_turn_count: number
  readonly nodes_satisfied: readonly NodeId[]
  /** A node for each exchange, in order. */
  readonly node_history: readonly NodeId[]
}

/** A walk as its host stores it. */
export function toNpcState(walk: Walk): NpcState {
  return {
    current_node: walk.node,
    node_turn_count: walk.turns,
    nodes_satisfied: walk.satisfied,
    node_history: walk.visits.flatMap(({ node, exchanges }) => Array.from({ length: exchanges }, () => node)),
  }
}

export type Loaded =
  | { readonly ok: true; readonly walk: Walk; readonly moved: { from: NodeId; to: NodeId } | null }
  | { readonly ok: false; readonly error: { code: 'RESUME_UNKNOWN_NODE'; node: NodeId } }

/**
 * Takes a walk up again from its four fields. They hold no score, so the host passes the one it kept. A pivot that
 * is stood in counts as armed if it had an exchange; pivots passed before count as passed unless satisfied. They hold
 * no overlay either: one that was shown in the node the walk stands in may be shown there once more.
 */
export function fromNpcState(
  graph: Graph,
  state: NpcState,
  options: { score: number; unknownNode: UnknownNodePolicy },
): Loaded {
  const at = locate(graph, state, options.unknownNode)
  if (at === null) return { ok: false, error: { code: 'RESUME_UNKNOWN_NODE', node: state.current_node } }
  const isMoved = at !== state.current_node
  const restarted = isMoved && options.unknownNode === 'restart'
  const history = restarted ? [] : state.node_history.filter((id) => graph.nodes[id])
  const visits = visitsOf(history, at)
  const satisfied = restarted ? [] : state.nodes_satisfied.filter((id) => graph.nodes[id])
  const here = visits.at(-1)?.exchanges ?? 0
  const turns = isMoved ? Math.min(here, 1) : state.node_turn_count
  const start = startWalk(graph)
  const walk: Walk = {
    ...start,
    seq: history.length,
    node: at,
    turns,
    graceUsed: Math.max(0, here - turns),
    stall: here,
    visits,
    satisfied,
    forced: unique(visits.slice(0, -1).map(({ node }) => node)).filter((id) => !satisfied.includes(id)),
    pivots: pivotsOf(graph, visits, satisfied),
    relationship: { score: options.score, level: levelOf(options.score, graph.policy.relationship) },
    emitted: visits
      .filter(({ node, exchanges }) => graph.nodes[node]?.kind === 'pivot' && exchanges > 0)
      .map(({ node }) => `AI_PivotMoment:${node}`),
  }
  return {
    ok: true,
    walk: isMoved ? walk : endedIfLeft(graph, walk),
    moved: isMoved ? { from: state.current_node, to: at } : null,
  }
}

/**
 * The four fields do not say that a conversation has ended, but they show it: its last node is left as soon as it was
 * satisfied or its turns were spent. Without this, the end would be given out a second time.
 */
function endedIfLeft(graph: Graph, walk: Walk): Walk {
  const node = nodeOf(graph, walk.node)
  if (node.id !== graph.terminal || walk.turns === 0) return walk
  const isSatisfied = walk.satisfied.includes(node.id)
  const isSpent = speaks(node) && node.maxTurns !== null && walk.turns >= node.maxTurns
  if (!isSatisfied && !isSpent) return walk
  return leaveTerminal(graph, walk, { from: node.id, to: null, reason: isSatisfied ? 'satisfied' : 'max-turns' }).walk
}

function locate(graph: Graph, state: NpcState, policy: UnknownNodePolicy): NodeId | null {
  if (canStandAt(graph, state.current_node)) return state.current_node
  if (policy === 'restart') return graph.entry
  if (policy === 'fail') return null
  return state.node_history.findLast((id) => canStandAt(graph, id)) ?? graph.entry
}

/** Four fields hold no stack of returns, so nobody can be put back into the middle of a called graph. */
function canStandAt(graph: Graph, id: NodeId): boolean {
  const node = graph.nodes[id]
  return node !== undefined && speaks(node) && node.module === graph.nodes[graph.terminal]?.module
}

function visitsOf(history: readonly NodeId[], at: NodeId): readonly Visit[] {
  const visits: Visit[] = []
  for (const node of history) {
    const last = visits.at(-1)
    if (last?.node === node) visits[visits.length - 1] = { node, exchanges: last.exchanges + 1 }
    else visits.push({ node, exchanges: 1 })
  }
  return visits.at(-1)?.node === at ? visits : [...visits, { node: at, exchanges: 0 }]
}

function pivotsOf(graph: Graph, visits: readonly Visit[], satisfied: readonly NodeId[]): Walk['pivots'] {
  const pivots: Record<NodeId, Walk['pivots'][string]> = {}
  visits.forEach(({ node, exchanges }, i) => {
    if (graph.nodes[node]?.kind !== 'pivot' || exchanges === 0) return
    if (i === visits.length - 1) pivots[node] = { state: 'armed', unanswered: exchanges - 1 }
    else pivots[node] = satisfied.includes(node) ? { state: 'chosen', choice: null } : { state: 'passed' }
  })
  return pivots
}

function unique(ids: readonly NodeId[]): readonly NodeId[] {
  return [...new Set(ids)]
}
