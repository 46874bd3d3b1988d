import { type Graph, type Migration, type NodeId, nodeOf, speaks } from '../graph/graph.ts'
import type { Trace } from './event.ts'
import { moved } from './relationship.ts'
import type { PivotState, Walk } from './walk.ts'

/** The result of migrating a walk to another graph. */
export type Migrated =
  | { readonly outcome: 'moved'; readonly walk: Walk; readonly trace: readonly Trace[] }
  /** The walk stays on the graph it was started on, without an error. */
  | { readonly outcome: 'kept'; readonly why: KeepReason }
  /** The walk stays on its graph because the migration's policy for unknown nodes is `fail`. */
  | { readonly outcome: 'refused'; readonly error: { readonly code: 'RESUME_UNKNOWN_NODE'; readonly node: NodeId } }

export type KeepReason =
  | 'same-graph'
  | 'another-graph'
  | 'no-migration'
  | 'ended'
  | 'turn-open'
  /** A fork's cards are shown to the learner, who has not chosen yet. */
  | 'fork-open'
  /** `stallBackstop`, `exchangeLimit` or a safety exit has led the walk to the terminal node. */
  | 'cut-short'

/**
 * Moves a walk to a newer version of its graph, by the migration that the newer graph declares for the walk's version.
 * Without such a migration the walk stays on its graph.
 *
 * The migration renames the nodes in the pointer, in the return points of calls, in the visits, among the satisfied and
 * forced nodes, and in the forks. The rest stays as it is: the number of exchanges, the relationship, and the commands,
 * overlays, thoughts and queries so far.
 *
 * @param from the walk, which is not changed
 * @param to the complete newer graph
 */
export function migrate(from: Walk, to: Graph): Migrated {
  const why = reasonToKeep(from, to)
  if (why) return { outcome: 'kept', why }
  const migration = to.migrations.find((declared) => declared.from === from.graph.version)
  if (!migration) return { outcome: 'kept', why: 'no-migration' }

  const mapped = mapWalk(from, to, migration)
  const lost = mapped.stack.findIndex((id) => !Object.hasOwn(to.nodes, id))
  const place = lost < 0 ? placeIn(to, mapped.node, mapped.stack) : null
  const walk = place ? { ...mapped, ...place } : elsewhere(mapped, to, migration)
  if (!walk) return { outcome: 'refused', error: { code: 'RESUME_UNKNOWN_NODE', node: from.stack[lost] ?? from.node } }
  const trace: Trace = { type: 'migrated', from: from.node, to: walk.node, version: to.version }
  return { outcome: 'moved', walk, trace: [trace, ...releases(from, walk)] }
}

function reasonToKeep(walk: Walk, to: Graph): KeepReason | null {
  if (walk.graph.hash === to.hash) return 'same-graph'
  if (walk.graph.id !== to.id) return 'another-graph'
  if (walk.end) return 'ended'
  if (walk.open) return 'turn-open'
  if (walk.pivots[walk.node]?.state === 'armed') return 'fork-open'
  return walk.isCutShort ? 'cut-short' : null
}

/**
 * Renames the nodes in a walk to the node ids of the newer graph. The result may point at nodes that the newer graph
 * lacks. A removed node keeps its old name in the visits.
 */
function mapWalk(walk: Walk, to: Graph, { nodes }: Migration): Walk {
  const rename = (id: NodeId): NodeId => (Object.hasOwn(nodes, id) ? (nodes[id] ?? id) : id)
  const satisfied = unique(walk.satisfied.map(rename))
  const node = rename(walk.node)
  const here = to.nodes[node]
  const actions = here && 'actions' in here ? here.actions.length : 0
  return {
    ...walk,
    graph: { id: to.id, version: to.version, hash: to.hash },
    node,
    stack: walk.stack.map(rename),
    visits: walk.visits.map((visit) => ({ ...visit, node: rename(visit.node) })),
    satisfied,
    // If the newer graph merges two nodes, and one of them was satisfied, the merged node counts as satisfied.
    forced: unique(walk.forced.map(rename)).filter((id) => !satisfied.includes(id)),
    pivots: mapPivots(walk.pivots, rename),
    relationship: moved(walk.relationship, 0, to.policy.relationship),
    engaged: walk.engaged.filter((action) => action < actions),
    behavior: to.behaviors.some(({ id }) => id === walk.behavior?.behavior) ? walk.behavior : null,
  }
}

/**
 * Renames the forks. If the newer graph merges two forks, and the learner chose at only one of them, the merged fork
 * keeps this choice.
 */
function mapPivots(pivots: Walk['pivots'], rename: (id: NodeId) => NodeId): Walk['pivots'] {
  const mapped: Record<NodeId, PivotState> = {}
  for (const [id, state] of Object.entries(pivots)) {
    const to = rename(id)
    if (mapped[to]?.state !== 'chosen') mapped[to] = state
  }
  return mapped
}

/**
 * Moves a walk whose node the newer graph lacks, by the migration's policy for unknown nodes. Returns null if the
 * policy allows no move.
 */
function elsewhere(walk: Walk, to: Graph, { unknown }: Migration): Walk | null {
  switch (unknown) {
    case 'fail':
      return null
    case 'restart':
      return enter({ ...walk, satisfied: [], forced: [], pivots: {} }, { node: to.entry, stack: [] })
    case 'nearest-ancestor': {
      const place = nearest(walk, to)
      return place && enter(walk, place)
    }
  }
}

/**
 * Returns the last visited node in which the walk can go on in the newer graph, with the return points of the calls
 * that lead to this node. Returns null if there is no such node.
 */
function nearest(walk: Walk, to: Graph): Place | null {
  for (const { node } of walk.visits.toReversed()) {
    const place = placeIn(to, node, walk.stack)
    if (place) return place
  }
  return null
}

function enter(walk: Walk, place: Place): Walk {
  return {
    ...walk,
    ...place,
    turns: 0,
    graceUsed: 0,
    stall: 0,
    engaged: [],
    visits: [...walk.visits, { node: place.node, exchanges: 0 }],
  }
}

function releases(from: Walk, to: Walk): readonly Trace[] {
  return from.behavior && !to.behavior ? [{ type: 'behavior-released', activation: from.behavior.activation }] : []
}

function unique(ids: readonly NodeId[]): readonly NodeId[] {
  return [...new Set(ids)]
}

/** A position in a graph: a speaking node, and the return points of the calls around it, outermost first. */
interface Place {
  readonly node: NodeId
  readonly stack: readonly NodeId[]
}

/**
 * Returns a node of `graph` with its return points. `stack` has the walk's return points, which come from another
 * version of the graph. The function keeps as many return points as possible, from the first one on; those kept must be
 * a series of calls that leads to the node (`leadsTo`). If no such series leads to the node, returns null, because a
 * call would otherwise return to a wrong node. Also returns null if the graph lacks the node, or if the node is silent.
 */
function placeIn(graph: Graph, node: NodeId, stack: readonly NodeId[]): Place | null {
  if (!Object.hasOwn(graph.nodes, node) || !speaks(nodeOf(graph, node))) return null
  for (let depth = stack.length; depth >= 0; depth -= 1) {
    const frames = stack.slice(0, depth)
    if (leadsTo(graph, frames, node)) return { node, stack: frames }
  }
  return null
}

/**
 * Tells whether `frames` is a series of calls that leads to `node`: the first return point is in the graph's own
 * module; each further return point is in the module to which the call before leads; the last call leads to the module
 * of `node`.
 */
function leadsTo(graph: Graph, frames: readonly NodeId[], node: NodeId): boolean {
  const root = graph.nodes[graph.terminal]?.module
  const callers = [root, ...frames.map((frame, i) => calledBy(graph, frame, frames[i + 1] ?? node))]
  return (
    frames.every((frame, i) => callers[i] !== undefined && graph.nodes[frame]?.module === callers[i]) &&
    callers.at(-1) === graph.nodes[node]?.module
  )
}

function calledBy(graph: Graph, frame: NodeId, inside: NodeId): string | undefined {
  const module = graph.nodes[inside]?.module
  const isCalled = graph.order.some((id) =>
    graph.nodes[id]?.exits.some(
      ({ to, returnTo }) => returnTo === frame && to !== null && graph.nodes[to]?.module === module,
    ),
  )
  return isCalled ? module : undefined
}
