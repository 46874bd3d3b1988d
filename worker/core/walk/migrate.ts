import { type Graph, type Migration, type NodeId, nodeOf, speaks } from '../graph/graph.ts'
import type { Trace } from './event.ts'
import { moved } from './relationship.ts'
import type { PivotState, Walk } from './walk.ts'

/** The result of migrating a walk to another graph. */
export type Migrated =
  | { readonly outcome: 'moved'; readonly walk: Walk; readonly trace: readonly Trace[] }
  /** It stays on the graph it was begun on, and nothing is wrong with that. */
  | { readonly outcome: 'kept'; readonly why: KeepReason }
  /** It stays there because the migration says that an unknown node must stop it. */
  | { readonly outcome: 'refused'; readonly error: { readonly code: 'RESUME_UNKNOWN_NODE'; readonly node: NodeId } }

export type KeepReason =
  | 'same-graph'
  | 'another-graph'
  | 'no-migration'
  | 'ended'
  | 'turn-open'
  /** A fork has been put to the learner and its cards are shown. */
  | 'fork-open'
  /** It has been led to its goodbye. */
  | 'cut-short'

/**
 * Takes a walk over to a newer version of its graph, on purpose: by the migration that the newer graph declares for
 * the version the walk is pinned to. Without one the walk stays where it is.
 *
 * What is mapped: the pointer, the return points, the visits, what was satisfied and forced, and the forks. What the
 * conversation has amassed besides stays as it is: the number of exchanges, the relationship, commands given out,
 * overlays shown, thoughts and queries.
 *
 * @param from the walk, which is not changed
 * @param to the newer graph, whole
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

/** The walk in the newer graph's words, wherever it then stands. A node that is gone keeps its name in what is past. */
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
    // Two nodes that have become one: what was satisfied of it counts.
    forced: unique(walk.forced.map(rename)).filter((id) => !satisfied.includes(id)),
    pivots: mapPivots(walk.pivots, rename),
    relationship: moved(walk.relationship, 0, to.policy.relationship),
    engaged: walk.engaged.filter((action) => action < actions),
    behavior: to.behaviors.some(({ id }) => id === walk.behavior?.behavior) ? walk.behavior : null,
  }
}

/** Where two forks have become one, a choice counts before a fork that passed. */
function mapPivots(pivots: Walk['pivots'], rename: (id: NodeId) => NodeId): Walk['pivots'] {
  const mapped: Record<NodeId, PivotState> = {}
  for (const [id, state] of Object.entries(pivots)) {
    const to = rename(id)
    if (mapped[to]?.state !== 'chosen') mapped[to] = state
  }
  return mapped
}

/** Where a walk goes whose node the graph does not have, by the policy the migration names. Null: nowhere. */
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

/** The last node visited that the graph still has a place for. */
function nearest(walk: Walk, to: Graph): Place | null {
  for (const { node } of walk.visits.toReversed()) {
    const place = placeIn(to, node, walk.stack)
    if (place) return place
  }
  return null
}

/** A new visit, with counters of its own. */
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

/** Where a walk can stand: a node that speaks, and the return points of the calls it stands in, outermost first. */
interface Place {
  readonly node: NodeId
  readonly stack: readonly NodeId[]
}

/**
 * The place of a node in a graph, given return points from elsewhere: with the most of them, outermost first, that
 * lead to the node by calls the graph has. Null when the graph has no such node, nobody speaks in it, or no such calls
 * lead there, so that a call would come back to the wrong place or to none.
 */
function placeIn(graph: Graph, node: NodeId, stack: readonly NodeId[]): Place | null {
  if (!Object.hasOwn(graph.nodes, node) || !speaks(nodeOf(graph, node))) return null
  for (let depth = stack.length; depth >= 0; depth -= 1) {
    const frames = stack.slice(0, depth)
    if (leadsTo(graph, frames, node)) return { node, stack: frames }
  }
  return null
}

/** Whether every return point is one of the module above it, and the call it belongs to leads into the one below. */
function leadsTo(graph: Graph, frames: readonly NodeId[], node: NodeId): boolean {
  const root = graph.nodes[graph.terminal]?.module
  const callers = [root, ...frames.map((frame, i) => calledBy(graph, frame, frames[i + 1] ?? node))]
  return (
    frames.every((frame, i) => callers[i] !== undefined && graph.nodes[frame]?.module === callers[i]) &&
    callers.at(-1) === graph.nodes[node]?.module
  )
}

/** The module of `inside`, if some call that returns to `frame` leads into it. */
function calledBy(graph: Graph, frame: NodeId, inside: NodeId): string | undefined {
  const module = graph.nodes[inside]?.module
  const isCalled = graph.order.some((id) =>
    graph.nodes[id]?.exits.some(
      ({ to, returnTo }) => returnTo === frame && to !== null && graph.nodes[to]?.module === module,
    ),
  )
  return isCalled ? module : undefined
}
