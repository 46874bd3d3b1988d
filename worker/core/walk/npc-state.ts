import { type Graph, type NodeId, speaks } from '../graph/graph.ts'
import { levelOf } from './relationship.ts'
import { type PivotState, startWalk, type Walk } from './walk.ts'

/**
 * A walk's position as hosts with an engine of their own store it (S3-44 of the requirements): the node of the next
 * exchange, the exchanges in this visit, the satisfied nodes, and the node of each exchange, oldest first.
 */
export interface NpcState {
  readonly current_node: NodeId
  readonly node_turn_count: number
  readonly nodes_satisfied: readonly NodeId[]
  readonly node_history: readonly NodeId[]
  /** The colleague's score towards the learner. Absent in a state that leaves the walk's own score. */
  readonly relationship_score?: number | undefined
}

/** Returns the position of a walk at rest. */
export function npcStateOf({ node, turns, satisfied, visits, relationship }: Walk): NpcState {
  return {
    current_node: node,
    node_turn_count: turns,
    nodes_satisfied: satisfied,
    node_history: visits.flatMap((visit) => Array.from({ length: visit.exchanges }, () => visit.node)),
    relationship_score: relationship.score,
  }
}

export type Rehydrated =
  | { readonly ok: true; readonly walk: Walk }
  | { readonly ok: false; readonly why: 'turn-open' | 'ended' }
  /** The state names a node that the graph does not have, or in which nobody speaks. */
  | { readonly ok: false; readonly why: 'unknown-node'; readonly node: NodeId }

/**
 * Returns the walk that goes on from a host's state. The walk keeps the relationship (unless the state has a score),
 * the thoughts and the commands that were given out. A fork in the history counts as passed, or as asked if it is the
 * current node. Everything else begins anew. Refuses a walk that has ended or has an open turn, and a state that does not fit the graph.
 */
export function rehydrate(graph: Graph, from: Walk, state: NpcState): Rehydrated {
  if (from.open) return { ok: false, why: 'turn-open' }
  if (from.end) return { ok: false, why: 'ended' }
  const { current_node: node, nodes_satisfied: satisfied, node_history: history } = state
  const unknown = [node, ...history, ...satisfied].find((id) => {
    const found = Object.hasOwn(graph.nodes, id) ? graph.nodes[id] : undefined
    return found === undefined || !speaks(found)
  })
  if (unknown !== undefined) return { ok: false, why: 'unknown-node', node: unknown }
  const visits = visitsOf(history)
  const isIn = history.length > 0 && history.at(-1) === node && state.node_turn_count > 0
  const fresh = startWalk(graph)
  const score = state.relationship_score ?? from.relationship.score
  const forks = [...new Set(history)].filter((id) => graph.nodes[id]?.kind === 'pivot')
  return {
    ok: true,
    walk: {
      ...fresh,
      engine: from.engine,
      seq: from.seq,
      node,
      turns: isIn ? state.node_turn_count : 0,
      visits: isIn ? visits : [...visits, { node, exchanges: 0 }],
      satisfied: [...new Set(satisfied)],
      pivots: Object.fromEntries(forks.map((id) => [id, id === node && isIn ? ASKED : { state: 'passed' }])),
      relationship: { score, level: levelOf(score, graph.policy.relationship) },
      emitted: from.emitted,
      thoughts: from.thoughts,
    },
  }
}

const ASKED: PivotState = { state: 'armed', unanswered: 0 }

function visitsOf(history: readonly NodeId[]): Walk['visits'] {
  const visits: { node: NodeId; exchanges: number }[] = []
  for (const node of history) {
    const last = visits.at(-1)
    if (last?.node === node) last.exchanges += 1
    else visits.push({ node, exchanges: 1 })
  }
  return visits
}
