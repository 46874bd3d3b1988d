import { startWalk, type Walk } from '../../walk/walk.ts'
import { isGuarded, nodeOf, speaks, conditionsIn, type Graph, type NodeId, type Guard } from '../graph.ts'
import { EXPLORED, type Grain, type Move, type Walker } from './moves.ts'
import { choicesAt, make } from './try-choices.ts'

/** A set of walks that no rule of the walker can tell apart, with one of these walks as an example. */
export interface Situation {
  readonly walk: Walk
  /** The last step of the shortest path to this situation: the previous situation and the move. Null at the start. */
  readonly from: { readonly situation: Situation; readonly move: Move } | null
  readonly exits: Passage[]
}

export interface Passage {
  readonly to: Situation
  readonly move: Move
}

/**
 * The maximum number of situations. A graph with more situations is too large to prove. The TECHNICAL backbone needs
 * 453.
 */
const MOST_SITUATIONS = 60_000

export interface Explored {
  readonly situations: readonly Situation[]
  /** False if there were too many situations to try them all. */
  readonly isWhole: boolean
}

/**
 * Finds every situation that a walk can reach, breadth first from both entries.
 *
 * The first search ignores where a turn began and which memory queries were asked, because a turn's beginning and the
 * queries matter only if silent nodes form a loop. In the first search every query is new. If the first search meets no
 * loop of silent nodes, its result is final. Otherwise a second search takes each turn's beginning and the queries into
 * account.
 */
export function explore(graph: Graph, walker: Walker): Explored {
  const { hasLoops, ...explored } = exploreAll(graph, walker, 'coarse')
  return hasLoops && explored.isWhole ? exploreAll(graph, walker, 'fine') : explored
}

function exploreAll(graph: Graph, walker: Walker, grain: Grain): Explored & { readonly hasLoops: boolean } {
  const key = keyFor(graph, grain)
  const known = new Map<string, Situation>()
  const queue: Situation[] = []
  let hasLoops = false
  const meet = (walk: Walk, from: Situation['from']): Situation => {
    const name = key(walk)
    const met = known.get(name)
    if (met) return met
    const situation: Situation = { walk: withoutHistory(walk), from, exits: [] }
    known.set(name, situation)
    queue.push(situation)
    return situation
  }
  meet(startWalk(graph, 'new'), null)
  meet(startWalk(graph, 'returning'), null)
  for (let at = 0; at < queue.length; at++) {
    const here = queue[at]
    if (!here) continue
    for (const choice of choicesAt(graph, here.walk, walker)) {
      const { walk, move, isLoop } = make(graph, here.walk, choice, { walker, grain })
      here.exits.push({ to: meet(walk, { situation: here, move }), move })
      hasLoops ||= isLoop
    }
    if (known.size > MOST_SITUATIONS) return { situations: queue, isWhole: false, hasLoops }
  }
  return { situations: queue, isWhole: true, hasLoops }
}

/** Returns the moves that lead to a situation, in order. */
export function pathTo(situation: Situation): readonly Move[] {
  const moves: Move[] = []
  for (let here = situation; here.from; here = here.from.situation) moves.push(here.from.move)
  return moves.toReversed()
}

/** Returns true if a walk is between turns. */
export function isAtRest(walk: Walk): boolean {
  return walk.open === null
}

/**
 * Returns a function that makes a situation's key. The key has only those parts of a walk that a later rule reads.
 * Walks with the same key are one situation.
 */
function keyFor(graph: Graph, grain: Grain): (walk: Walk) => string {
  const gates = new Set<NodeId>()
  for (const node of Object.values(graph.nodes)) {
    if (speaks(node) && node.isGate) gates.add(node.id)
    for (const exit of node.exits)
      if (isGuarded(exit) && exit.when) satisfiedIn(exit.when).forEach((id) => gates.add(id))
    if (speaks(node) && node.overlay) satisfiedIn(node.overlay.when).forEach((id) => gates.add(id))
  }
  const key = (walk: Walk): string => {
    const { node, stack, graceUsed, stall, overlays, queries, end, open, isCutShort } = walk
    const pivot = walk.pivots[node]
    const parts = [
      node,
      stack.join('>'),
      turnsThatCount(graph, walk),
      graceUsed,
      stall,
      walk.satisfied
        .filter((id) => gates.has(id))
        .toSorted()
        .join(),
      overlays.join(),
      grain === 'fine'
        ? queries
            .filter((query) => !query.startsWith(EXPLORED))
            .toSorted()
            .join('\n')
        : '',
      pivot?.state === 'armed' ? `${pivot.unanswered}.${pivot.asked ?? 1}` : '',
      isCutShort,
      end ? `${end.completion}${end.isLeft ? ' left' : ''}` : '',
    ]
    if (open)
      parts.push(
        open.waiting?.for ?? 'speech',
        open.waiting?.refusals ?? 0,
        open.hops,
        open.silentSteps,
        open.passed.toSorted().join(),
        open.isSpoken,
        ...(grain === 'fine' ? [key(open.home)] : []),
      )
    return parts.join('|')
  }
  return key
}

/**
 * Removes the parts of a walk that only the log needs, because otherwise the walks of a large graph would not fit into
 * memory.
 */
function withoutHistory(walk: Walk): Walk {
  return {
    ...walk,
    visits: walk.visits.slice(-1),
    // `keyFor` ignores how often the learner took a goodbye back. With 0 here, the search never reaches `MOST_RESUMED`.
    resumed: 0,
    forced: [],
    emitted: [],
    thoughts: [],
    engaged: [],
    queries: walk.queries.filter((query) => !query.startsWith(EXPLORED)),
    open: walk.open && { ...walk.open, home: withoutHistory(walk.open.home), sends: [] },
  }
}

/**
 * Returns the number of turns in this visit, but at most the node's highest limit, because above that limit no rule
 * depends on the number.
 */
function turnsThatCount(graph: Graph, walk: Walk): number {
  const node = nodeOf(graph, walk.node)
  if (!speaks(node)) return 0
  return Math.min(walk.turns, Math.max(node.minTurns, node.maxTurns ?? 0))
}

function satisfiedIn(guard: Guard): readonly NodeId[] {
  return conditionsIn(guard).flatMap((condition) => ('satisfied' in condition ? [condition.satisfied] : []))
}
