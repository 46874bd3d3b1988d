import { type Exit, type Graph, type NodeId, speaks } from '../graph/graph.ts'
import { closingCommands, objectiveCommandId } from './command.ts'
import type { Decision, Effect, Reason, Trace } from './event.ts'
import type { End, Walk } from './walk.ts'

/** A walk after a move, and the log entries of the move. */
export interface Moved {
  readonly walk: Walk
  readonly trace: readonly Trace[]
}

/**
 * Leaves a node by an exit. If the exit is a call, puts its return point on the stack. A call beyond the depth limit is
 * skipped: the walk goes straight to the return point.
 */
export function leaveBy(graph: Graph, walk: Walk, exit: Pick<Exit, 'to' | 'returnTo'>, reason: Reason): Moved {
  const { to, returnTo } = exit
  if (to === null) return { walk, trace: [] }
  if (returnTo === null) return enter(walk, to, reason)
  if (walk.stack.length >= graph.policy.inside.depth) {
    const past = enter(walk, returnTo, reason)
    return { walk: past.walk, trace: [{ type: 'call-refused', node: walk.node, why: 'depth' }, ...past.trace] }
  }
  const entered = enter({ ...walk, stack: [...walk.stack, returnTo] }, to, reason)
  return { walk: entered.walk, trace: [{ type: 'called', from: walk.node, to, returnTo }, ...entered.trace] }
}

/**
 * Moves the pointer from the end of a called graph to the return point. The walk's stack of return points must not be
 * empty.
 */
export function jumpBack(walk: Walk): Moved {
  const to = walk.stack.at(-1) ?? walk.node
  const entered = enter({ ...walk, stack: walk.stack.slice(0, -1) }, to, 'jumpback')
  return { walk: entered.walk, trace: [{ type: 'jumpback', from: walk.node, to }, ...entered.trace] }
}

/**
 * Moves the pointer straight to the terminal node `to`, and drops all calls that are under way. The learner can no
 * longer earn the objective.
 */
export function cutShort(walk: Walk, to: NodeId, reason: Reason): Moved {
  return enter({ ...walk, stack: [], isCutShort: true }, to, reason)
}

/** Tells whether a decision's reason is a limit that cuts the conversation short. */
export function cutsShort(reason: Reason | 'ignored'): boolean {
  return reason === 'backstop' || reason === 'exchange-limit'
}

/** Tells whether a decision's reason ends the conversation early: a limit, or the learner's goodbye. */
export function endsEarly(reason: Reason | 'ignored'): boolean {
  return cutsShort(reason) || reason === 'left'
}

/** Moves the pointer to a node. Every move sets the visit's counters to zero. */
function enter(walk: Walk, to: NodeId, reason: Reason): Moved {
  const moved = {
    ...leave(walk, reason),
    node: to,
    turns: 0,
    graceUsed: 0,
    stall: 0,
    engaged: [],
    visits: [...walk.visits, { node: to, exchanges: 0 }],
  }
  return { walk: moved, trace: [{ type: 'moved', from: walk.node, to, reason }] }
}

/**
 * Ends the walk. The learner earns the objective if nothing cut the walk short and every gate was satisfied. An
 * objective that the learner had earned before they took a goodbye back stays earned.
 */
export function leaveTerminal(
  graph: Graph,
  walk: Walk,
  decision: Decision,
): { readonly walk: Walk; readonly effects: readonly Effect[] } {
  const left = leave(walk, decision.reason)
  const isLeft = decision.reason === 'left'
  const isForced =
    walk.isCutShort || cutsShort(decision.reason) || !passedEveryGate(graph, left) || (isLeft && !isDone(graph, left))
  const wasEarned = walk.emitted.includes(objectiveCommandId(graph))
  const end: End = { completion: isForced && !wasEarned ? 'forced' : 'earned', ...(isLeft && { isLeft }) }
  const effects = closingCommands(graph, end, walk.resumed).filter(({ id }) => !walk.emitted.includes(id))
  return {
    walk: {
      ...left,
      // The learner can take a goodbye back, so the walk keeps its calls.
      stack: isLeft ? left.stack : [],
      emitted: [...left.emitted, ...effects.map(({ id }) => id)],
      open: null,
      end,
    },
    effects,
  }
}

/**
 * Tells whether a learner who takes their leave can still earn the objective. In a graph with gates the result is true,
 * because `leaveTerminal` checks the gates. In a graph without gates, the walk has to be at the terminal node, or at a
 * satisfied node with an exit to it.
 */
function isDone(graph: Graph, walk: Walk): boolean {
  const node = graph.nodes[walk.node]
  const isBeforeEnd = walk.satisfied.includes(walk.node) && node?.exits.some(({ to }) => to === graph.terminal) === true
  return hasGate(graph) || walk.node === graph.terminal || isBeforeEnd
}

/** Tells whether a graph has a gate. */
export function hasGate({ nodes }: Graph): boolean {
  return Object.values(nodes).some((node) => speaks(node) && node.isGate)
}

/** Tells whether every gate of the graph is satisfied. A gate that this walk never reached counts as unsatisfied. */
export function passedEveryGate(graph: Graph, walk: Walk): boolean {
  return graph.order.every((id) => {
    const node = graph.nodes[id]
    return !node || !speaks(node) || !node.isGate || walk.satisfied.includes(id)
  })
}

/** Returns the only gate of the graph that is not satisfied; null if there is none, or more than one. */
export function lastGate(graph: Graph, walk: Walk): NodeId | null {
  const open = graph.order.filter((id) => {
    const node = graph.nodes[id]
    return node && speaks(node) && node.isGate && !walk.satisfied.includes(id)
  })
  return open.length === 1 ? (open[0] ?? null) : null
}

function leave(walk: Walk, reason: Reason): Walk {
  const earned = EARNED.has(reason)
  return {
    ...walk,
    satisfied: earned ? including(walk.satisfied, walk.node) : walk.satisfied,
    forced: earned
      ? walk.forced.filter((id) => id !== walk.node)
      : walk.satisfied.includes(walk.node)
        ? walk.forced
        : including(walk.forced, walk.node),
  }
}

/** The reasons for which a node counts as satisfied when the pointer leaves it. */
const EARNED: ReadonlySet<Reason> = new Set<Reason>([
  'satisfied',
  'pivot-choice',
  'pivot-own',
  'resumed',
  'selected',
  'passed',
  'jumpback',
  'went-on',
])

/** Returns the ids with this id, once. */
export function including(ids: readonly NodeId[], id: NodeId): readonly NodeId[] {
  return ids.includes(id) ? ids : [...ids, id]
}
