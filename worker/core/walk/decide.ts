import type { Graph, GraphNode, NodeId } from '../graph/graph.ts'
import type { Policy } from '../graph/policy.ts'
import type { Decision, Reason } from './event.ts'
import { holds } from './relationship.ts'
import type { PivotState, Walk } from './walk.ts'

/** What the walker reads in a report. Nothing else in it can reach a decision. */
export interface Signals {
  readonly satisfied: boolean
  readonly detour: boolean
}

/** Whether this exchange is a detour the node forgives: unsatisfied, and within the grace of this visit. */
export function isForgiven(signals: Signals, walk: Walk, policy: Policy): boolean {
  return signals.detour && !signals.satisfied && walk.graceUsed < policy.detourGrace
}

/** An exchange as it is judged. */
export interface Exchange {
  readonly node: GraphNode
  /** The walk with this exchange's relationship and counters applied already. */
  readonly counted: Walk
  /** The fork's state before this exchange. */
  readonly pivot: PivotState | undefined
  readonly signals: Signals
  readonly forgiven: boolean
}

/** Decides where the pointer goes after an exchange, in the normative order ([W10] to [W18]). */
export function decide(graph: Graph, exchange: Exchange): Decision {
  const { node, counted } = exchange
  const decision = ruleOn(graph.policy, exchange)
  if (decision.to !== node.id || counted.stall < graph.policy.stallBackstop) return decision
  // A terminal node that stalls has nowhere else to go: it ends.
  return { from: node.id, to: node.id === graph.terminal ? null : graph.terminal, reason: 'backstop' }
}

function ruleOn(policy: Policy, { node, counted, pivot, signals, forgiven }: Exchange): Decision {
  const stay = (reason: Reason): Decision => ({ from: node.id, to: node.id, reason })
  const go = (reason: Reason): Decision => ({ from: node.id, to: nextAfter(node, counted, policy), reason })

  if (node.kind === 'pivot') {
    if (pivot?.state !== 'armed') return stay('pivot-armed')
    return pivot.unanswered + 1 >= policy.pivotPatience ? go('pivot-timeout') : stay('pivot-open')
  }
  if (node.isGate && !signals.satisfied) return stay('gate-hold')
  if (forgiven) return stay('detour-grace')
  if (signals.satisfied && counted.turns >= node.minTurns) return go('satisfied')
  if (!node.isGate && counted.turns >= node.maxTurns) return go('max-turns')
  if (node.selfLoop || node.isGate || counted.turns < node.minTurns) return stay('dwell')
  return go('no-self-loop')
}

/** The way out: a branch whose condition holds, else `advance` (S3-26). */
export function nextAfter(node: GraphNode, walk: Walk, policy: Policy): NodeId | null {
  return node.branch && holds(node.branch.when, walk.relationship, policy.relationship) ? node.branch.to : node.advance
}
