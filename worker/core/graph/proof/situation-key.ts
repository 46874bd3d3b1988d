import type { Walk } from '../../walk/walk.ts'
import { isGuarded, type Graph, type NodeId, nodeOf, speaks, conditionsIn, type Guard } from '../graph.ts'
import { EXPLORED, type Grain } from './moves.ts'

/** Two walks that no rule can tell apart are one situation: only what a rule reads from here on is kept. */
export function keyFor(graph: Graph, grain: Grain): (walk: Walk) => string {
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
      pivot?.state === 'armed' ? pivot.unanswered : '',
      isCutShort,
      end?.completion ?? '',
    ]
    if (open)
      parts.push(
        open.waiting?.for ?? 'speech',
        open.waiting?.refusals ?? 0,
        open.hops,
        open.silentSteps,
        open.passed.toSorted().join(),
        open.isSpoken,
        ...(grain === 'fine' ? [key(open.before), open.home ? key(open.home) : ''] : []),
      )
    return parts.join('|')
  }
  return key
}

/** What only a reader of the log looks at is left out, or a large graph would not fit into memory. */
export function withoutHistory(walk: Walk): Walk {
  return {
    ...walk,
    visits: walk.visits.slice(-1),
    forced: [],
    emitted: [],
    thoughts: [],
    engaged: [],
    queries: walk.queries.filter((query) => !query.startsWith(EXPLORED)),
    open: walk.open && { ...walk.open, home: walk.open.home && withoutHistory(walk.open.home), sends: [] },
  }
}

/** Past what a rule asks for, one more turn makes no difference; the stall is counted beside it. */
function turnsThatCount(graph: Graph, walk: Walk): number {
  const node = nodeOf(graph, walk.node)
  if (!speaks(node)) return 0
  return Math.min(walk.turns, Math.max(node.minTurns, node.maxTurns ?? 0))
}

/** The nodes of which a guard asks whether they were satisfied. */
function satisfiedIn(guard: Guard): readonly NodeId[] {
  return conditionsIn(guard).flatMap((condition) => ('satisfied' in condition ? [condition.satisfied] : []))
}
