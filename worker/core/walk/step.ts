import { type Exit, type Graph, nodeOf, type PivotNode, type SpeakingNode, speaks } from '../graph/graph.ts'
import { isUnread } from '../reply/report.ts'
import { closeAfter, mayResume, openAfter, resumed } from './after.ts'
import { onAnswer } from './answer.ts'
import { askBehavior } from './ask.ts'
import { advanceCommand, handOver, pivotMoment } from './command.ts'
import { decide, exitAfter, isForgiven, type Signals, signalsOf } from './decide.ts'
import { clampEngagement, moved } from './relationship.ts'
import {
  after,
  type Decision,
  type Effect,
  type EventOf,
  ignored,
  type Step,
  type Trace,
  type WalkEvent,
} from './event.ts'
import {
  cutShort,
  endsEarly,
  hasGate,
  including,
  jumpBack,
  lastGate,
  leaveBy,
  leaveTerminal,
  type Moved,
  passedEveryGate,
} from './move.ts'
import { chosen, takeLate } from './late-fork.ts'
import { newTurn, type PivotState, type Walk, withExchange } from './walk.ts'
import { engage, rest, travel } from './travel.ts'

/**
 * The walker: returns the walk after an event, and the effects that the caller has to carry out. The function is pure:
 * it carries out no effect and changes none of its arguments. If the walk cannot take the event now, the walk stays
 * unchanged and the trace gets an `ignored` entry.
 */
export function step(graph: Graph, walk: Walk, event: WalkEvent): Step {
  return withObjective(graph, take(graph, walk, event))
}

/**
 * Gives out the objective at the end of the turn in which the last gate was satisfied, if the graph's policy has
 * `leaving`. The conversation goes on. In other graphs the end gives out the objective.
 */
function withObjective(graph: Graph, taken: Step): Step {
  const { walk } = taken
  const isMet = graph.policy.leaving && hasGate(graph) && passedEveryGate(graph, walk) && !walk.isCutShort
  const advance = advanceCommand(graph)
  if (walk.open || walk.end || !isMet || walk.emitted.includes(advance.id)) return taken
  return withEffects({ ...taken, walk: { ...walk, emitted: [...walk.emitted, advance.id] } }, [advance])
}

function take(graph: Graph, walk: Walk, event: WalkEvent): Step {
  switch (event.type) {
    case 'learner':
      return onLearner(graph, walk, event)
    case 'report':
      return onReport(graph, walk, event)
    case 'pivot-choice':
      return onPivotChoice(graph, walk, event)
    case 'resume':
      return onResume(graph, walk, event)
    case 'behavior':
    case 'selection':
    case 'memories':
    case 'reflection':
      return onAnswer(graph, walk, event)
  }
}

/** Opens a turn. The step briefs the actor, or requests what the walker has to know first. */
function onLearner(graph: Graph, walk: Walk, event: EventOf<'learner'>): Step {
  if (event.isAfter) return openAfter(graph, walk, event)
  if (walk.end) return ignored(walk, event, 'ended')
  if (walk.open) return ignored(walk, event, 'turn-open')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')

  const { hints } = event
  const opened: Walk = { ...walk, open: { ...newTurn(walk, event.turnId), ...(hints && { hints }) } }
  if (graph.behaviors.length > 0) return askBehavior(graph, opened)
  const node = nodeOf(graph, walk.node)
  return speaks(node) ? engage(graph, opened, node) : travel(graph, opened)
}

/**
 * Applies a report: counts the exchange, decides, and moves the pointer. If the walk is then at rest, the result has
 * the side effects of the whole turn.
 */
function onReport(graph: Graph, walk: Walk, event: EventOf<'report'>): Step {
  if (walk.end) return closeAfter(graph, walk, event)
  if (walk.open?.turnId !== event.turnId) return ignored(walk, event, 'no-such-turn')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')
  const node = nodeOf(graph, walk.node)
  if (walk.open.waiting || walk.open.isSpoken || !speaks(node)) return ignored(walk, event, 'no-such-request')

  const signals = signalsOf(graph, node, walk, event)
  const forgiven = isForgiven(signals, node, walk, graph.policy)
  const counted = takeLate(graph, count(graph, walk, event, forgiven), event)
  const pivot = walk.pivots[node.id]
  const decision = decide(graph, { node, counted, pivot, signals, forgiven })
  const settled = settle(graph, counted, node, { pivot, decision, signals })
  const decided: readonly Trace[] = [{ type: 'decision', decision }, ...remarks(graph, walk, event)]
  const given = event.report.document_given && mayHandOver(graph, settled, decision) ? handOver(graph, settled) : null
  const applied = apply(graph, given?.walk ?? settled, node, decision)
  const ahead = ON_TO.has(decision.reason) && event.report.went_on ? walk.open.ahead : null
  const moved = ahead === applied.walk.node && !applied.walk.end ? goneOn(graph, applied) : applied
  return after(decided, given ? { ...moved, effects: [...given.effects, ...moved.effects] } : moved)
}

/** If a decision has one of these reasons, the same reply may have served the next node too. */
const ON_TO: ReadonlySet<Decision['reason']> = new Set<Decision['reason']>(['satisfied', 'pivot-choice', 'pivot-own'])

/**
 * Counts the exchange also in the node that the walk has just entered, because the reply served that node too. If the
 * entered node is a fork, its cards are shown. If the colleague satisfies the node by speaking, the walk leaves it at
 * once. Any other node waits for the learner's next message.
 */
function goneOn(graph: Graph, arrived: Step): Step {
  const { walk } = arrived
  const node = nodeOf(graph, walk.node)
  if (walk.open || !speaks(node)) return arrived
  const spent: Walk = { ...walk, turns: 1, stall: 1, visits: withExchange(walk.visits) }
  const next = arrive(graph, spent, node)
  return {
    walk: next.walk,
    effects: [...arrived.effects, ...next.effects],
    trace: [...arrived.trace, ...next.trace],
  }
}

function arrive(graph: Graph, walk: Walk, node: SpeakingNode): Step {
  const from = node.id
  const exit = node.landsOn === 'speaker' ? exitAfter(node, walk, graph.policy) : undefined
  if (exit && leadsToSpeech(graph, exit)) {
    const decision: Decision = { from, to: exit.to, reason: 'went-on' }
    // The reply of this turn is complete, so the walk only moves. The colleague speaks in the next node in the next
    // turn.
    return after([{ type: 'decision', decision }], { ...leaveBy(graph, walk, exit, 'went-on'), effects: [] })
  }
  const decision: Decision = { from, to: from, reason: node.kind === 'pivot' ? 'pivot-armed' : 'went-on' }
  const pivots = node.kind === 'pivot' ? { ...walk.pivots, [from]: pivotAfter(undefined, decision) } : walk.pivots
  return after([{ type: 'decision', decision }], apply(graph, { ...walk, pivots }, node, decision))
}

function leadsToSpeech(graph: Graph, { to, returnTo }: Pick<Exit, 'to' | 'returnTo'>): boolean {
  return to !== null && returnTo === null && speaks(nodeOf(graph, to))
}

/** Tells whether the colleague may hand the document over: every gate is satisfied, or the conversation ends. */
function mayHandOver(graph: Graph, walk: Walk, { to, from }: Decision): boolean {
  return passedEveryGate(graph, walk) || from === graph.terminal || (to === null && walk.stack.length === 0)
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

  return moveOn(graph, chosen(graph, walk, node, choice.id), node, 'pivot-choice') ?? ignored(walk, event, 'not-here')
}

/** Leaves an answered fork between two turns. Returns null if the walk cannot leave the fork without a turn. */
function moveOn(graph: Graph, walk: Walk, node: PivotNode, reason: 'pivot-choice' | 'resumed'): Step | null {
  const picked: Walk = { ...walk, open: { ...newTurn(walk, `choice:${node.id}`), isSpoken: true } }
  const to = exitAfter(node, picked, graph.policy)?.to
  if (to === undefined || to === node.id) return null
  const decision: Decision = { from: node.id, to, reason }
  const next = apply(graph, picked, node, decision)
  // No actor takes part in a choice, so nobody could answer a request. Lint G037 refuses every graph in which the walk
  // would need an answer after a choice.
  const isLoop = next.trace.some(({ type }) => type === 'internal-loop')
  return next.walk.open || isLoop ? null : after([{ type: 'decision', decision }], next)
}

/**
 * Undoes an end that the learner made by taking their leave. The walk goes on in its current node. If that node is a
 * fork that the learner answered in the message with the goodbye, the walk leaves the fork.
 */
function onResume(graph: Graph, walk: Walk, event: EventOf<'resume'>): Step {
  if (!mayResume(graph, walk)) return ignored(walk, event, 'not-left')
  const back = resumed(graph, walk)
  const node = nodeOf(graph, walk.node)
  const isAnswered = node.kind === 'pivot' && walk.pivots[node.id]?.state === 'chosen'
  const on = isAnswered ? moveOn(graph, back, node, 'resumed') : null
  const decision: Decision = { from: node.id, to: node.id, reason: 'resumed' }
  return on && !on.walk.end ? on : { walk: back, effects: [], trace: [{ type: 'decision', decision }] }
}

/**
 * Counts an exchange: changes the relationship and the counters, and records the overlay and the action of this turn.
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
    ...(graph.policy.leaving && { goodbyes: walk.open?.hints?.goodbye ? (walk.goodbyes ?? 0) + 1 : 0 }),
    visits: withExchange(walk.visits),
    overlays: overlay === null ? walk.overlays : [...walk.overlays, overlay],
    engaged: action === null ? walk.engaged : [...walk.engaged, action],
    open: walk.open && { ...walk.open, isSpoken: true },
  }
}

/**
 * Records what a decision changes in the node in which the decision was made. If the node is a fork, records the fork's
 * new state. If the report says that the node is satisfied, records that too in two cases: the walk stays in the node
 * (a gate), or the walk ends there with a goodbye. A gate that lies ahead counts too, if the learner has taken its
 * constraint in before.
 */
function settle(
  graph: Graph,
  walk: Walk,
  node: SpeakingNode,
  { pivot, decision, signals }: { pivot: PivotState | undefined; decision: Decision; signals: Signals },
): Walk {
  const isHeld = node.isGate && decision.to === node.id
  const isSatisfied = signals.satisfied && (isHeld || decision.reason === 'left')
  const gate = signals.registered ? lastGate(graph, walk) : null
  const met = [...(isSatisfied ? [node.id] : []), ...(gate === null ? [] : [gate])]
  const satisfied = met.reduce(including, walk.satisfied)
  if (node.kind !== 'pivot') return met.length > 0 ? { ...walk, satisfied } : walk
  if (signals.choice !== null) return chosen(graph, { ...walk, satisfied }, node, signals.choice, true)
  return { ...walk, satisfied, pivots: { ...walk.pivots, [node.id]: pivotAfter(pivot, decision) } }
}

function pivotAfter(before: PivotState | undefined, { from, to, reason }: Decision): PivotState {
  if (to !== from) return { state: 'passed' }
  if (before?.state !== 'armed') return { state: 'armed', unanswered: 0 }
  const { unanswered, asked = 1 } = before
  return { state: 'armed', unanswered: unanswered + 1, ...(reason === 'pivot-asked' && { asked: asked + 1 }) }
}

function apply(graph: Graph, walk: Walk, node: SpeakingNode, decision: Decision): Step {
  if (decision.to === decision.from) return stay(graph, walk, decision)
  const isCut = endsEarly(decision.reason)
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
  // If a loop of silent nodes follows, the turn goes back to `home`. `rest` closes the turn, and then `home` is gone
  // too.
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
  const isMissing = isUnread(quality)
  if (isMissing) trace.push({ type: 'report-missing' })
  if (early && report.objective_complete !== null) trace.push({ type: 'overreach', field: 'objective_complete' })
  if (early && report.is_conversation_complete) trace.push({ type: 'overreach', field: 'is_conversation_complete' })
  if (!isMissing && report.emotional_state !== walk.relationship.level) trace.push({ type: 'mood-mismatch' })
  return trace
}

function withEffects(step: Step, effects: readonly Effect[]): Step {
  return { ...step, effects: [...step.effects, ...effects] }
}
