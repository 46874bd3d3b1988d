import { type Graph, nodeOf, type SpeakingNode, speaks } from '../graph/graph.ts'
import { onAnswer } from './answer.ts'
import { askBehavior } from './ask.ts'
import { pivotMoment } from './command.ts'
import { decide, exitAfter, isForgiven, type Signals } from './decide.ts'
import { clampEngagement, moved } from './relationship.ts'
import { after, type Decision, type Effect, ignored, type Step, type Trace, type WalkEvent } from './event.ts'
import { cutShort, cutsShort, jumpBack, leaveBy, leaveTerminal, type Moved } from './move.ts'
import { newTurn, type PivotState, type Walk } from './walk.ts'
import { engage, rest, travel } from './travel.ts'

/**
 * The walker: returns the walk after an event, and the effects that the caller has to carry out. It is pure: it runs
 * nothing and changes none of its arguments. An event that does not fit leaves the walk unchanged and adds an `ignored`
 * entry to the trace.
 */
export function step(graph: Graph, walk: Walk, event: WalkEvent): Step {
  switch (event.type) {
    case 'learner':
      return onLearner(graph, walk, event)
    case 'report':
      return onReport(graph, walk, event)
    case 'pivot-choice':
      return onPivotChoice(graph, walk, event)
    case 'behavior':
    case 'selection':
    case 'memories':
    case 'reflection':
      return onAnswer(graph, walk, event)
  }
}

type EventOf<T extends WalkEvent['type']> = Extract<WalkEvent, { type: T }>

/** Opens a turn. The step briefs the actor, or requests what the walker has to know first. */
function onLearner(graph: Graph, walk: Walk, event: EventOf<'learner'>): Step {
  if (walk.end) return ignored(walk, event, 'ended')
  if (walk.open) return ignored(walk, event, 'turn-open')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')

  const opened: Walk = { ...walk, open: newTurn(walk, event.turnId) }
  if (graph.behaviors.length > 0) return askBehavior(graph, opened)
  const node = nodeOf(graph, walk.node)
  return speaks(node) ? engage(graph, opened, node) : travel(graph, opened)
}

/**
 * Applies a report: counts the exchange, decides, and moves the pointer. Once the walk is at rest, returns the side
 * effects of the whole turn too.
 */
function onReport(graph: Graph, walk: Walk, event: EventOf<'report'>): Step {
  if (walk.end) return ignored(walk, event, 'ended')
  if (walk.open?.turnId !== event.turnId) return ignored(walk, event, 'no-such-turn')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')
  const node = nodeOf(graph, walk.node)
  if (walk.open.waiting || walk.open.isSpoken || !speaks(node)) return ignored(walk, event, 'no-such-request')

  const signals = { satisfied: event.report.node_satisfied, detour: event.report.detour_detected }
  const forgiven = isForgiven(signals, node, walk, graph.policy)
  const counted = count(graph, walk, event, forgiven)
  const pivot = walk.pivots[node.id]
  const decision = decide(graph, { node, counted, pivot, signals, forgiven })
  const settled = settle(counted, node, { pivot, decision, signals })
  const decided: readonly Trace[] = [{ type: 'decision', decision }, ...remarks(graph, walk, event)]
  return after(decided, apply(graph, settled, node, decision))
}

/**
 * Applies the learner's choice at a fork. The choice is an event of its own, and counts neither as an exchange nor
 * towards the dwell.
 */
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
  const chosen: Walk = {
    ...walk,
    relationship,
    pivots,
    open: { ...newTurn(walk, `choice:${node.id}`), isSpoken: true },
  }
  const to = exitAfter(node, chosen, graph.policy)?.to
  if (to === undefined || to === node.id) return ignored(walk, event, 'not-here')
  const decision: Decision = { from: node.id, to, reason: 'pivot-choice' }
  const next = apply(graph, chosen, node, decision)
  // No actor takes part in a choice, so nobody could answer a request. Lint G037 refuses every graph in which the walk
  // would need an answer after a choice.
  const isLoop = next.trace.some(({ type }) => type === 'internal-loop')
  if (next.walk.open || isLoop) return ignored(walk, event, 'not-here')
  return after([{ type: 'decision', decision }], next)
}

/**
 * Counts an exchange: moves the relationship, then the counters, then records the overlay and the action that were
 * shown.
 */
function count(graph: Graph, walk: Walk, event: EventOf<'report'>, forgiven: boolean): Walk {
  const { overlay = null, action = null } = walk.open ?? {}
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
    overlays: overlay === null ? walk.overlays : [...walk.overlays, overlay],
    engaged: action === null ? walk.engaged : [...walk.engaged, action],
    open: walk.open && { ...walk.open, isSpoken: true },
  }
}

/**
 * Records what a decision changes in the node in which it was made: the new state of a fork, and a gate that becomes
 * satisfied while the walk stays in it.
 */
function settle(
  walk: Walk,
  node: SpeakingNode,
  { pivot, decision, signals }: { pivot: PivotState | undefined; decision: Decision; signals: Signals },
): Walk {
  const isOpened = node.isGate && signals.satisfied && decision.to === node.id && !walk.satisfied.includes(node.id)
  const satisfied = isOpened ? [...walk.satisfied, node.id] : walk.satisfied
  if (node.kind !== 'pivot') return isOpened ? { ...walk, satisfied } : walk
  return { ...walk, satisfied, pivots: { ...walk.pivots, [node.id]: pivotAfter(pivot, node, decision) } }
}

function pivotAfter(before: PivotState | undefined, node: SpeakingNode, decision: Decision): PivotState {
  if (decision.to !== node.id) return { state: 'passed' }
  return { state: 'armed', unanswered: before?.state === 'armed' ? before.unanswered + 1 : 0 }
}

function apply(graph: Graph, walk: Walk, node: SpeakingNode, decision: Decision): Step {
  if (decision.to === decision.from) return stay(graph, walk, decision)
  const isCut = cutsShort(decision.reason)
  if (decision.to === null)
    return walk.stack.length > 0 && !isCut ? goOn(graph, walk, jumpBack(walk)) : end(graph, walk, decision)
  if (isCut) return goOn(graph, walk, cutShort(walk, decision.to, decision.reason))
  const exit = exitAfter(node, walk, graph.policy) ?? { to: decision.to, returnTo: null }
  return goOn(graph, walk, leaveBy(graph, walk, exit, decision.reason))
}

function stay(graph: Graph, walk: Walk, decision: Decision): Step {
  if (decision.reason !== 'pivot-armed') return rest(walk)
  const asked = pivotMoment(graph, walk)
  return withEffects(rest(asked.walk), asked.effects)
}

function goOn(graph: Graph, home: Walk, { walk, trace }: Moved): Step {
  // If a loop of silent nodes follows, the turn goes back to `home`. `rest` drops `home` with the open turn.
  const ready: Walk = walk.open ? { ...walk, open: { ...walk.open, home } } : walk
  return travel(graph, ready, trace)
}

/** Ends the walk. The end's commands come after the side effects of the turn. */
function end(graph: Graph, walk: Walk, decision: Decision): Step {
  const rested = rest(walk)
  const left = leaveTerminal(graph, rested.walk, decision)
  return { ...left, effects: [...rested.effects, ...left.effects], trace: rested.trace }
}

/**
 * Returns trace entries for the claims that a report may not make, and for a missing report. The entries have no effect
 * on the walk.
 */
function remarks(graph: Graph, walk: Walk, event: EventOf<'report'>): readonly Trace[] {
  const { report, quality } = event
  const trace: Trace[] = []
  const early = walk.node !== graph.terminal
  const isMissing = quality === 'missing' || quality === 'echoed'
  if (isMissing) trace.push({ type: 'report-missing' })
  if (early && report.objective_complete !== null) trace.push({ type: 'overreach', field: 'objective_complete' })
  if (early && report.is_conversation_complete) trace.push({ type: 'overreach', field: 'is_conversation_complete' })
  if (!isMissing && report.emotional_state !== walk.relationship.level) trace.push({ type: 'mood-mismatch' })
  return trace
}

function withEffects(step: Step, effects: readonly Effect[]): Step {
  return { ...step, effects: [...step.effects, ...effects] }
}
