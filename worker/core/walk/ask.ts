import {
  type ChoiceExit,
  type DecideNode,
  type Graph,
  isChoice,
  type RecallNode,
  type ReflectNode,
  type SpeakingNode,
  speaks,
} from '../graph/graph.ts'
import { briefDecision, briefNode } from './brief-node.ts'
import type { Request, Step } from './event.ts'
import type { OpenTurn, PendingRequest, Walk } from './walk.ts'

/** Requests a behavior task: the actor names the behavior that applies to the learner's message. */
export function askBehavior(graph: Graph, walk: Walk): Step {
  return ask(walk, 'behavior', (request) => ({
    type: 'behavior-request',
    request,
    offered: graph.behaviors.map(({ id, triggers }) => ({ id, triggers })),
    active: walk.behavior?.behavior ?? null,
  }))
}

/**
 * Requests a selection task: the actor picks one of the offered actions and exits.
 *
 * @param refusals how many earlier answers to this selection were missing, or named nothing that was offered
 */
export function askSelection(
  graph: Graph,
  walk: Walk,
  node: SpeakingNode | DecideNode,
  offers: Offers,
  refusals = 0,
): Step {
  return ask(
    walk,
    'selection',
    (request) => ({
      type: 'selection-request',
      request,
      node: speaks(node)
        ? briefNode(graph, node, walk, { overlay: null, action: null })
        : briefDecision(graph, node, walk),
      actions: offers.actions,
      exits: offers.exits.map(({ description }) => description),
      isRetry: refusals > 0,
    }),
    refusals,
  )
}

/**
 * Requests a recall task: a look-up of memories.
 *
 * @param queries the author's queries that this conversation has not asked yet; null if the actor has to write the
 * queries
 */
export function askRecall(walk: Walk, node: RecallNode, queries: readonly string[] | null): Step {
  return ask(walk, 'recall', (request) => ({
    type: 'recall-request',
    request,
    node: node.id,
    queries,
    requested: node.requested,
    performed: walk.queries,
  }))
}

/** Requests a reflection task: the actor draws a conclusion about the node's problem. */
export function askReflection(walk: Walk, node: ReflectNode): Step {
  return ask(walk, 'reflection', (request) => ({
    type: 'reflection-request',
    request,
    node: node.id,
    problem: node.problem,
    wordLimit: node.wordLimit,
  }))
}

function ask(walk: Walk, kind: PendingRequest['for'], make: (request: string) => Request, refusals = 0): Step {
  const open = walk.open
  if (!open) return { walk, effects: [], trace: [] }
  const request = `${open.turnId}:${open.requests + 1}`
  const waiting: OpenTurn = { ...open, requests: open.requests + 1, waiting: { request, for: kind, refusals } }
  return { walk: { ...walk, open: waiting }, effects: [make(request)], trace: [] }
}

interface Offers {
  readonly actions: readonly string[]
  readonly exits: readonly ChoiceExit[]
}

/**
 * Returns the actions and exits that can be selected at a node now. A fork offers no exits. Any other speaking node
 * offers no exits in three cases: before its `minTurns`; while it is a gate that is not satisfied; and after the actor
 * has selected `policy.inside.hops` exits in this turn. A call that would nest calls deeper than `policy.inside.depth`
 * is offered only at a decision node whose exits are all calls.
 */
export function offersOf(graph: Graph, walk: Walk, node: SpeakingNode | DecideNode): Offers {
  const exits = node.exits.filter(isChoice)
  const within = walk.stack.length < graph.policy.inside.depth ? exits : exits.filter((exit) => exit.returnTo === null)
  if (!speaks(node)) return { actions: [], exits: within.length > 0 ? within : exits }
  return { actions: node.actions, exits: mayChooseExit(graph, walk, node) ? within : [] }
}

function mayChooseExit({ policy }: Graph, walk: Walk, node: SpeakingNode): boolean {
  if (node.kind === 'pivot') return false
  if (walk.turns < node.minTurns) return false
  if (node.isGate && !walk.satisfied.includes(node.id)) return false
  return (walk.open?.hops ?? 0) < policy.inside.hops
}
