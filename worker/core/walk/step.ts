import { type Graph, type GraphNode, nodeOf } from '../graph/graph.ts'
import { decide, isForgiven, nextAfter } from './decide.ts'
import type { Decision, Ignored, Step, Trace, WalkEvent } from './event.ts'
import { enter, leaveTerminal } from './move.ts'
import { briefNode } from './brief-node.ts'
import { moved } from './relationship.ts'
import { pivotMoment } from './command.ts'
import { holds } from './relationship.ts'
import type { PivotState, Walk } from './walk.ts'

/**
 * The walker: what becomes of a walk when something happens, and what is to be done about it. Pure; it runs nothing
 * and changes nothing it was given. An event that does not fit leaves the walk as it is and says so in the trace.
 */
export function step(graph: Graph, walk: Walk, event: WalkEvent): Step {
  switch (event.type) {
    case 'learner':
      return onLearner(graph, walk, event)
    case 'report':
      return onReport(graph, walk, event)
    case 'pivot-choice':
      return onPivotChoice(graph, walk, event)
    case 'abort':
      return onAbort(walk, event)
  }
}

type EventOf<T extends WalkEvent['type']> = Extract<WalkEvent, { type: T }>

/** Opens a turn: says what it is for. An overlay whose condition holds opens with it, and is only lent until the report. */
function onLearner(graph: Graph, walk: Walk, event: EventOf<'learner'>): Step {
  if (walk.end) return ignored(walk, event, 'ended')
  if (walk.open) return ignored(walk, event, 'turn-open')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')

  const node = nodeOf(graph, walk.node)
  const overlay = opensNow(graph, node, walk) ? node.overlay : null
  return {
    walk: { ...walk, open: { turnId: event.turnId, overlay: overlay?.id ?? null } },
    effects: [{ type: 'brief', node: briefNode(graph, node, walk, overlay?.content ?? null) }],
    trace: [],
  }
}

/** Closes a turn: counts it, decides, moves, and gives out the commands that follow. */
function onReport(graph: Graph, walk: Walk, event: EventOf<'report'>): Step {
  if (walk.end) return ignored(walk, event, 'ended')
  if (walk.open?.turnId !== event.turnId) return ignored(walk, event, 'no-such-turn')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')

  const node = nodeOf(graph, walk.node)
  const signals = { satisfied: event.report.node_satisfied, detour: event.report.detour_detected }
  const forgiven = isForgiven(signals, walk, graph.policy)
  const counted = count(graph, walk, event, forgiven)
  const pivot = walk.pivots[node.id]
  const decision = decide(graph, { node, counted, pivot, signals, forgiven })
  const settled = { ...counted, pivots: pivotsAfter(counted.pivots, node, pivot, decision) }
  const next = apply(graph, settled, decision)
  return { ...next, trace: [{ type: 'decision', decision }, ...remarks(graph, walk, event)] }
}

/** The learner's pick: an event of its own, no exchange and no dwell (B3-8). */
function onPivotChoice(graph: Graph, walk: Walk, event: EventOf<'pivot-choice'>): Step {
  if (walk.end) return ignored(walk, event, 'ended')
  if (walk.open) return ignored(walk, event, 'turn-open')
  if (walk.node !== event.node) return ignored(walk, event, 'not-here')
  const node = nodeOf(graph, walk.node)
  if (node.kind !== 'pivot' || walk.pivots[node.id]?.state !== 'armed') return ignored(walk, event, 'not-armed')
  const choice = node.pivot.choices.find(({ id }) => id === event.choice)
  if (!choice) return ignored(walk, event, 'no-such-choice')

  const relationship = moved(walk.relationship, choice.mood, graph.policy.relationship)
  const pivots = { ...walk.pivots, [node.id]: { state: 'chosen', choice: choice.id } as const }
  const chosen = { ...walk, relationship, pivots }
  const decision: Decision = { from: node.id, to: nextAfter(node, chosen, graph.policy), reason: 'pivot-choice' }
  const next = apply(graph, chosen, decision)
  return { ...next, trace: [{ type: 'decision', decision }] }
}

/** Takes an open turn back. What stands afterwards is what stood before it, to the letter. */
function onAbort(walk: Walk, event: EventOf<'abort'>): Step {
  if (walk.open?.turnId !== event.turnId) return ignored(walk, event, 'no-such-turn')
  return { walk: { ...walk, open: null }, effects: [], trace: [] }
}

function opensNow(graph: Graph, node: GraphNode, walk: Walk): boolean {
  return (
    node.overlay !== null &&
    !walk.overlays.includes(node.overlay.id) &&
    holds(node.overlay.when, walk.relationship, graph.policy.relationship)
  )
}

/** Steps 0 to 2 of the order: relationship first, then the counters, then the overlay that was shown. */
function count(graph: Graph, walk: Walk, event: EventOf<'report'>, forgiven: boolean): Walk {
  const shown = walk.open?.overlay ?? null
  return {
    ...walk,
    seq: event.seq,
    relationship: moved(walk.relationship, clampEngagement(event.report.engagement_score), graph.policy.relationship),
    turns: walk.turns + (forgiven ? 0 : 1),
    graceUsed: walk.graceUsed + (forgiven ? 1 : 0),
    stall: walk.stall + 1,
    visits: walk.visits.map((visit, i) =>
      i === walk.visits.length - 1 ? { ...visit, exchanges: visit.exchanges + 1 } : visit,
    ),
    overlays: shown === null ? walk.overlays : [...walk.overlays, shown],
    open: null,
  }
}

function clampEngagement(score: number): number {
  return Number.isFinite(score) ? Math.max(-2, Math.min(2, score)) : 0
}

function pivotsAfter(
  pivots: Walk['pivots'],
  node: GraphNode,
  before: PivotState | undefined,
  decision: Decision,
): Walk['pivots'] {
  if (node.kind !== 'pivot') return pivots
  if (decision.to !== node.id) return { ...pivots, [node.id]: { state: 'passed' } }
  const unanswered = before?.state === 'armed' ? before.unanswered + 1 : 0
  return { ...pivots, [node.id]: { state: 'armed', unanswered } }
}

function apply(graph: Graph, walk: Walk, decision: Decision): Pick<Step, 'walk' | 'effects'> {
  if (decision.to === null) return leaveTerminal(graph, walk, decision)
  if (decision.to !== decision.from) return { walk: enter(walk, decision.to, decision.reason), effects: [] }
  return decision.reason === 'pivot-armed' ? pivotMoment(graph, walk) : { walk, effects: [] }
}

/** What a report claimed that is not its to say. Telemetry: none of it has any effect. */
function remarks(graph: Graph, walk: Walk, event: EventOf<'report'>): readonly Trace[] {
  const { report, quality } = event
  const trace: Trace[] = []
  const early = walk.node !== graph.terminal
  if (quality === 'missing') trace.push({ type: 'report-missing' })
  if (early && report.objective_complete !== null) trace.push({ type: 'overreach', field: 'objective_complete' })
  if (early && report.is_conversation_complete) trace.push({ type: 'overreach', field: 'is_conversation_complete' })
  if (quality !== 'missing' && report.emotional_state !== walk.relationship.level) trace.push({ type: 'mood-mismatch' })
  return trace
}

function ignored(walk: Walk, event: WalkEvent, why: Ignored): Step {
  return { walk, effects: [], trace: [{ type: 'ignored', event: event.type, why }] }
}
