import { type Graph, type NodeId, nodeOf, type SpeakingNode, speaks } from '../graph/graph.ts'
import { isUnread } from '../reply/report.ts'
import { closeAfter, openAfter } from './after.ts'
import { NEUTRAL_BRIEF } from './brief-node.ts'
import { closingCommands, pivotMoment } from './command.ts'
import {
  type CommandEffect,
  type Decision,
  type EventOf,
  ignored,
  type Step,
  type Trace,
  type WalkEvent,
} from './event.ts'
import { type End, newTurn, startWalk, type Walk, withExchange } from './walk.ts'
import { moved } from './relationship.ts'
import type { NodeBrief } from '../briefing/briefing.ts'

/** The first exchange in which a report's claim that the objective is met, or the conversation over, takes effect. */
const LEAST_EXCHANGES = 3
/** The limit of exchanges for a graph that sets no limit. */
const EXCHANGE_CAP = 6

/** Starts a walk for the count-based engine, at the entry of a graph made by `legacyGraphFor`. */
export function startLegacyWalk(graph: Graph): Walk {
  return { ...startWalk(graph), engine: 'legacy' }
}

/**
 * The count-based engine, an older walker. The setting `WALKON_ENGINE` starts conversations on this engine, so that
 * somebody can compare the engine with `step`. Like `step`, this function is pure, takes a `WalkEvent` and returns a
 * `Step`. Its decisions differ: it moves on by counting exchanges, and a report's own claims earn the objective and end
 * the conversation.
 *
 * @throws if the graph has a silent node, because such a graph was not made for this engine.
 */
export function legacyStep(graph: Graph, walk: Walk, event: WalkEvent): Step {
  switch (event.type) {
    case 'learner':
      return onLearner(graph, walk, event)
    case 'report':
      return onReport(graph, walk, event)
    case 'pivot-choice':
      return onPivotChoice(graph, walk, event)
    case 'resume':
      return ignored(walk, event, 'not-left')
    case 'behavior':
    case 'selection':
    case 'memories':
    case 'reflection':
      return ignored(walk, event, walk.end ? 'ended' : 'no-such-request')
  }
}

function onLearner(graph: Graph, walk: Walk, event: EventOf<'learner'>): Step {
  if (event.isAfter) return openAfter(graph, walk, event)
  if (walk.end) return ignored(walk, event, 'ended')
  if (walk.open) return ignored(walk, event, 'turn-open')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')

  const node = legacyBrief(graph, phaseOf(graph, walk), walk)
  return { walk: { ...walk, open: newTurn(walk, event.turnId) }, effects: [{ type: 'brief', node }], trace: [] }
}

function onReport(graph: Graph, walk: Walk, event: EventOf<'report'>): Step {
  if (walk.end) return closeAfter(graph, walk, event)
  if (walk.open?.turnId !== event.turnId) return ignored(walk, event, 'no-such-turn')
  if (event.seq !== walk.seq + 1) return ignored(walk, event, 'out-of-order')

  const phase = phaseOf(graph, walk)
  const claims = claimsOf(graph, event)
  const lapsed = lapse(count(graph, walk, event), phase)
  const decision = decide(graph, phase, lapsed, claims)
  const earned = earn(graph, lapsed, claims)
  const next = apply(graph, earned.walk, decision)
  return {
    walk: next.walk,
    effects: [...earned.effects, ...next.effects],
    trace: [{ type: 'decision', decision }, ...remarks(event, claims, lapsed), ...moveOf(decision)],
  }
}

/**
 * Applies the learner's choice at a fork: its `mood` changes the relationship score, and the walk stays in the phase.
 */
function onPivotChoice(graph: Graph, walk: Walk, event: EventOf<'pivot-choice'>): Step {
  if (walk.end) return ignored(walk, event, 'ended')
  if (walk.open) return ignored(walk, event, 'turn-open')
  if (walk.node !== event.node) return ignored(walk, event, 'not-here')
  const phase = phaseOf(graph, walk)
  if (phase.kind !== 'pivot' || walk.pivots[phase.id]?.state !== 'armed') return ignored(walk, event, 'not-armed')
  const choice = phase.pivot.choices.find(({ id }) => id === event.choice)
  if (!choice) return ignored(walk, event, 'no-such-choice')

  const decision: Decision = { from: phase.id, to: phase.id, reason: 'pivot-choice' }
  return {
    walk: {
      ...walk,
      relationship: moved(walk.relationship, choice.mood, graph.policy.relationship),
      pivots: { ...walk.pivots, [phase.id]: { state: 'chosen', choice: choice.id } },
    },
    effects: [],
    trace: [{ type: 'decision', decision }],
  }
}

function phaseOf(graph: Graph, walk: Walk): SpeakingNode {
  const node = nodeOf(graph, walk.node)
  if (!speaks(node)) throw new Error(`graph ${graph.id} was not made for the count-based engine`)
  return node
}

/** The claims of a report that this engine believes from `LEAST_EXCHANGES` on. */
interface Claims {
  readonly objective: boolean
  readonly over: boolean
}

function claimsOf(graph: Graph, { report }: EventOf<'report'>): Claims {
  return {
    objective: report.objective_complete === graph.closing.objective.id,
    over: report.is_conversation_complete,
  }
}

function count(graph: Graph, walk: Walk, event: EventOf<'report'>): Walk {
  const score = Math.max(-2, Math.min(2, event.report.engagement_score))
  return {
    ...walk,
    seq: event.seq,
    relationship: moved(walk.relationship, score, graph.policy.relationship),
    turns: walk.turns + 1,
    stall: walk.stall + 1,
    visits: withExchange(walk.visits),
    open: null,
  }
}

/** Sets a fork's state to `passed` if its cards were already shown when this exchange began. */
function lapse(walk: Walk, phase: SpeakingNode): Walk {
  if (walk.pivots[phase.id]?.state !== 'armed') return walk
  return { ...walk, pivots: { ...walk.pivots, [phase.id]: { state: 'passed' } } }
}

function decide(graph: Graph, phase: SpeakingNode, counted: Walk, claims: Claims): Decision {
  const from = phase.id
  if (claims.over && counted.seq >= LEAST_EXCHANGES) return { from, to: null, reason: 'reported' }
  if (counted.seq >= (graph.policy.exchangeLimit ?? EXCHANGE_CAP)) return { from, to: null, reason: 'exchange-limit' }
  const next = phase.exits[0]?.to ?? null
  if (next !== null && counted.turns >= (phase.maxTurns ?? EXCHANGE_CAP)) return { from, to: next, reason: 'max-turns' }
  if (phase.kind === 'pivot' && !counted.pivots[from]) return { from, to: from, reason: 'pivot-armed' }
  return { from, to: from, reason: 'dwell' }
}

/**
 * Returns the objective's command if a report claims the objective in exchange `LEAST_EXCHANGES` or later. An earlier
 * claim has no effect, not even in later exchanges.
 */
function earn(graph: Graph, walk: Walk, claims: Claims): Pick<Step, 'walk'> & { effects: readonly CommandEffect[] } {
  if (!claims.objective || walk.seq < LEAST_EXCHANGES) return { walk, effects: [] }
  return give(walk, closingCommands(graph, { completion: 'earned' }).filter(isAdvance))
}

function apply(graph: Graph, walk: Walk, decision: Decision): Pick<Step, 'walk' | 'effects'> {
  if (decision.to === null) return close(graph, walk, decision)
  if (decision.to !== decision.from) return { walk: enter(walk, decision.to), effects: [] }
  if (decision.reason !== 'pivot-armed') return { walk, effects: [] }
  const pivots: Walk['pivots'] = { ...walk.pivots, [walk.node]: { state: 'armed', unanswered: 0 } }
  return pivotMoment(graph, { ...walk, pivots })
}

function close(graph: Graph, walk: Walk, decision: Decision): Pick<Step, 'walk' | 'effects'> {
  const isEarned = closingCommands(graph, { completion: 'earned' }).some(
    (effect) => isAdvance(effect) && walk.emitted.includes(effect.id),
  )
  const end: End = { completion: isEarned ? 'earned' : 'forced' }
  const given = give(leave(walk), closingCommands(graph, end))
  return {
    walk: { ...given.walk, end, isCutShort: !isEarned && decision.reason === 'exchange-limit' },
    effects: given.effects,
  }
}

function moveOf({ from, to, reason }: Decision): readonly Trace[] {
  return to === null || to === from ? [] : [{ type: 'moved', from, to, reason }]
}

function enter(walk: Walk, to: NodeId): Walk {
  return { ...leave(walk), node: to, turns: 0, stall: 0, visits: [...walk.visits, { node: to, exchanges: 0 }] }
}

/**
 * Adds the node that the walk leaves to `forced`, never to `satisfied`: this engine does not read whether a node is
 * satisfied.
 */
function leave(walk: Walk): Walk {
  return walk.forced.includes(walk.node) ? walk : { ...walk, forced: [...walk.forced, walk.node] }
}

function give(walk: Walk, effects: readonly CommandEffect[]): { walk: Walk; effects: readonly CommandEffect[] } {
  const fresh = effects.filter(({ id }) => !walk.emitted.includes(id))
  return { walk: { ...walk, emitted: [...walk.emitted, ...fresh.map(({ id }) => id)] }, effects: fresh }
}

function isAdvance({ command }: CommandEffect): boolean {
  return command.name === 'AI_AdvanceObjective'
}

/**
 * Returns trace entries for the claims that this engine ignored, and for the defects of a report. The entries have no
 * effect on the walk.
 */
function remarks(event: EventOf<'report'>, claims: Claims, walk: Walk): readonly Trace[] {
  const { report, quality } = event
  const isEarly = walk.seq < LEAST_EXCHANGES
  const trace: Trace[] = []
  const isMissing = isUnread(quality)
  if (isMissing) trace.push({ type: 'report-missing' })
  if (report.objective_complete !== null && (isEarly || !claims.objective))
    trace.push({ type: 'overreach', field: 'objective_complete' })
  if (claims.over && isEarly) trace.push({ type: 'overreach', field: 'is_conversation_complete' })
  if (!isMissing && report.emotional_state !== walk.relationship.level) trace.push({ type: 'mood-mismatch' })
  return trace
}

/**
 * Describes the phase for the briefing of one exchange. The description depends only on the number of exchanges: in the
 * first exchange of a phase with a fork, the description has the fork's question. From the second exchange on, the
 * description leaves the fork out, whether or not the learner has picked a choice.
 */
function legacyBrief(graph: Graph, phase: SpeakingNode, walk: Walk): NodeBrief {
  const question = phase.kind === 'pivot' && walk.turns === 0 ? phase.pivot : null
  const asked = question && { source: `pivots[${question.id}]`, lines: [question.question] }
  return {
    ...NEUTRAL_BRIEF,
    id: phase.id,
    kind: question ? 'pivot' : 'speak',
    intent: phase.intent,
    satisfyWhen: phase.satisfyWhen,
    content: asked ? [asked, ...phase.content] : phase.content,
    isTerminal: phase.id === graph.terminal,
    turns: walk.turns,
    minTurns: phase.minTurns,
    pivot: question && { content: question, armed: false, asked: 0 },
    state: null,
  }
}
