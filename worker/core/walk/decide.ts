import {
  type Graph,
  type Guard,
  isChoice,
  isGuarded,
  type NodeId,
  type SpeakingNode,
  waitsForQuestion,
} from '../graph/graph.ts'
import type { Policy, RelationshipPolicy } from '../graph/policy.ts'
import { isUnread, OWN_ANSWER } from '../reply/report.ts'
import type { PivotContent } from '../scenario/scenario.ts'
import type { Decision, EventOf, Reason } from './event.ts'
import type { PivotState, Walk } from './walk.ts'
import type { RelationshipLevel } from '../../wire/messages.ts'

/**
 * The values of a report that decide where the pointer goes. The report's engagement score has an influence too: it
 * changes the relationship, which the conditions of exits may read.
 */
export interface Signals {
  readonly satisfied: boolean
  readonly detour: boolean
  /** True if the learner takes their leave and the graph lets them. */
  readonly leaving: boolean
  /**
   * The id of the fork's choice that the learner made, or `OWN_ANSWER`; null if no answer to a fork counts in this
   * exchange.
   */
  readonly choice: string | null
  /** True if the learner has taken the gate's constraint in, although the walk may not have come to the gate. */
  readonly registered: boolean
}

/** Returns the values that the walker takes from a report. A choice that the fork does not offer becomes null. */
export function signalsOf({ policy }: Graph, node: SpeakingNode, walk: Walk, { report, quality }: Reported): Signals {
  const { goodbye = false } = walk.open?.hints ?? {}
  const insists = goodbye && (isUnread(quality) || (walk.goodbyes ?? 0) > 0)
  return {
    satisfied: report.node_satisfied,
    detour: report.detour_detected,
    leaving: policy.leaving === true && (report.learner_leaving || insists),
    registered: policy.leaving === true && report.fact_registered,
    choice: policy.forks && node.kind === 'pivot' ? offered(node.pivot, report.pivot_choice) : null,
  }
}

type Reported = Pick<EventOf<'report'>, 'report' | 'quality'>

/** Returns the named choice if the fork offers it, `OWN_ANSWER` for an answer of the learner's own, or null. */
export function offered({ choices }: PivotContent, named: string | null): string | null {
  return named === OWN_ANSWER || choices.some(({ id }) => id === named) ? named : null
}

/**
 * Tells whether this exchange is a forgiven detour: an exchange that does not count towards the dwell, because the
 * learner was off-topic. The exchange is forgiven only if its report says `detour` and not `satisfied`. At most
 * `detourGrace` exchanges of a visit are forgiven, and none in a node without `satisfyWhen`.
 */
export function isForgiven(signals: Signals, node: SpeakingNode, walk: Walk, policy: Policy): boolean {
  if (node.satisfyWhen === null) return false
  return signals.detour && !signals.satisfied && walk.graceUsed < policy.detourGrace
}

interface Exchange {
  readonly node: SpeakingNode
  /** The walk with the relationship and the counters as they are after this exchange. */
  readonly counted: Walk
  readonly pivot: PivotState | undefined
  readonly signals: Signals
  readonly forgiven: boolean
}

/**
 * Decides where the pointer goes after an exchange, by the rules [walk-10] to [walk-18] of `docs/reference/walker.md`,
 * in that order.
 */
export function decide(graph: Graph, exchange: Exchange): Decision {
  const { node, counted } = exchange
  const { stallBackstop, exchangeLimit } = graph.policy
  if (exchange.signals.leaving) return { from: node.id, to: null, reason: 'left' }
  const decision = ruleOn(graph.policy, exchange)
  const isLast = exchangeLimit !== null && counted.seq >= exchangeLimit
  const isEnd = decision.to === null && counted.stack.length === 0
  if (isLast && !isEnd) return cutShort(graph, node, 'exchange-limit')
  if (decision.to !== node.id || opens(exchange)) return decision
  const isAnswering = answersFirst(graph.policy, exchange)
  if (isLastStay(exchange) && !isAnswering) return { from: node.id, to: null, reason: 'backstop' }
  return counted.stall < stallBackstop || isAnswering ? decision : cutShort(graph, node, 'backstop')
}

/**
 * Tells whether the colleague has used every entry of a gate's `stay`, which lists what the colleague does while the
 * learner has not satisfied the gate. The exchange with the last entry ends the conversation.
 */
function isLastStay({ node, counted }: Exchange): boolean {
  return node.isGate && (node.stay?.length ?? 0) > 0 && counted.stall > (node.stay?.length ?? 0)
}

/** Tells whether the learner of a conversation that they may leave has asked something where the gate would end it. */
function answersFirst({ leaving }: Policy, { node, counted }: Exchange): boolean {
  const isQuestion = leaving === true && counted.open?.hints?.question === true
  return waitsForQuestion(node, counted.stall - 1, isQuestion)
}

/**
 * Tells whether this exchange is the first to satisfy a gate from which the actor selects an exit. The walk may then
 * stay at the gate for one more exchange, even if `stallBackstop` is reached, so that the actor can select an exit.
 */
function opens({ node, counted, signals }: Exchange): boolean {
  return node.isGate && signals.satisfied && !counted.satisfied.includes(node.id) && node.exits.some(isChoice)
}

/**
 * Returns the decision to go straight to the graph's terminal node, and drops all calls to other graphs that are under
 * way. At the terminal node itself, returns the decision to end the conversation.
 */
function cutShort(graph: Graph, node: SpeakingNode, reason: Reason): Decision {
  return { from: node.id, to: node.id === graph.terminal ? null : graph.terminal, reason }
}

function ruleOn(policy: Policy, { node, counted, pivot, signals, forgiven }: Exchange): Decision {
  const stay = (reason: Reason): Decision => ({ from: node.id, to: node.id, reason })
  const go = (reason: Reason): Decision => {
    const next = nextAfter(node, counted, policy)
    return next === undefined ? stay('dwell') : { from: node.id, to: next, reason }
  }

  if (node.kind === 'pivot') {
    if (signals.choice !== null) return go(signals.choice === OWN_ANSWER ? 'pivot-own' : 'pivot-choice')
    if (pivot?.state !== 'armed') return stay('pivot-armed')
    if (!policy.forks) return pivot.unanswered + 1 >= policy.pivotPatience ? go('pivot-timeout') : stay('pivot-open')
    if (pivot.unanswered + 1 >= policy.forks.exchanges) return go('pivot-passed')
    if (signals.detour || counted.open?.hints?.question) return stay('pivot-open')
    return (pivot.asked ?? 1) >= policy.forks.asks ? go('pivot-passed') : stay('pivot-asked')
  }
  if (node.isGate && !signals.satisfied) return stay('gate-hold')
  if (forgiven) return stay('detour-grace')
  if (signals.satisfied && counted.turns >= node.minTurns) return go('satisfied')
  if (!node.isGate && node.maxTurns !== null && counted.turns >= node.maxTurns) return go('max-turns')
  if (node.selfLoop || node.isGate || counted.turns < node.minTurns) return stay('dwell')
  return go('no-self-loop')
}

/** Returns the target of the first guarded exit whose condition holds; undefined if no condition holds. */
function nextAfter(node: SpeakingNode, walk: Walk, policy: Policy): NodeId | null | undefined {
  return exitAfter(node, walk, policy)?.to
}

export function exitAfter(node: SpeakingNode, walk: Walk, policy: Policy) {
  return node.exits.filter(isGuarded).find(({ when }) => when === null || holds(when, walk, policy.relationship))
}

/** Tells whether a condition holds for a walk. */
export function holds(
  guard: Guard,
  walk: Pick<Walk, 'relationship' | 'satisfied'>,
  policy: RelationshipPolicy,
): boolean {
  if ('relationship' in guard) return rank(walk.relationship.level, policy) >= rank(guard.relationship.atLeast, policy)
  if ('satisfied' in guard) return walk.satisfied.includes(guard.satisfied)
  if ('all' in guard) return guard.all.every((part) => holds(part, walk, policy))
  if ('any' in guard) return guard.any.some((part) => holds(part, walk, policy))
  return !holds(guard.not, walk, policy)
}

function rank(level: RelationshipLevel, policy: RelationshipPolicy): number {
  return policy.levels.findIndex((step) => step.level === level)
}
