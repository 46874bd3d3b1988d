import type { NodeAhead, NodeBrief, StateBrief } from '../briefing/briefing.ts'
import {
  type BehaviorSet,
  type BoundContent,
  type DecideNode,
  type Graph,
  type Guidelines,
  type PivotNode,
  type SpeakingNode,
  speaks,
  stateName,
} from '../graph/graph.ts'
import { firstName } from '../scenario/scenario.ts'
import { HANDED_OVER } from './command.ts'
import { hasGate, passedEveryGate } from './move.ts'
import { lateFork } from './late-fork.ts'
import type { Walk } from './walk.ts'
import { densityOf } from '../graph/density.ts'
import { inMind } from '../briefing/prompt-text.ts'

/**
 * Builds the part of a briefing that describes the walk's current node in this turn.
 *
 * @param overlay the content of the overlay that opens in this turn, if any
 * @param action the index of the selected action, if the node has actions
 */
export function briefNode(
  graph: Graph,
  node: SpeakingNode,
  walk: Walk,
  { overlay, action }: { overlay: BoundContent | null; action: number | null },
): NodeBrief {
  return {
    id: node.id,
    kind: node.kind,
    intent: node.intent,
    satisfyWhen: node.satisfyWhen,
    content: node.content,
    isGate: node.isGate,
    isHeard: false,
    isTerminal: node.id === graph.terminal,
    turns: walk.visits.at(-1)?.exchanges ?? 0,
    minTurns: node.minTurns,
    escalated: node.isGate && node.maxTurns !== null && walk.turns >= node.maxTurns,
    pivot: node.kind === 'pivot' ? forkBrief(node, walk) : null,
    overlay,
    ...waysOn(graph, node, walk),
    state: node.actions.length > 0 ? stateBrief(graph, node, walk, action) : null,
  }
}

type WaysOn = Pick<NodeBrief, 'landsOn' | 'stay' | 'ahead' | 'leaving' | 'document' | 'lateFork'>

/** Returns the parts of a brief that say how the conversation may go on, or end, with this reply. */
function waysOn(graph: Graph, node: SpeakingNode, walk: Walk): WaysOn {
  const ahead = walk.open?.ahead ? graph.nodes[walk.open.ahead] : undefined
  const isSettled = passedEveryGate(graph, walk)
  const { document, next } = graph.closing
  const isDue = document !== null && graph.policy.leaving === true && !walk.emitted.includes(HANDED_OVER)
  return {
    landsOn: node.landsOn ?? null,
    stay: node.stay ?? [],
    ahead: ahead && speaks(ahead) ? aheadBrief(ahead) : null,
    leaving: graph.policy.leaving
      ? {
          hints: walk.open?.hints ?? { goodbye: false, question: false },
          next: next && firstName(next.name),
          isSettled: hasGate(graph) ? isSettled : null,
          mayStay: node.maxTurns === null || walk.turns + 1 < node.maxTurns,
          unsaid: unsaidIn(graph, walk),
        }
      : null,
    document: isDue
      ? { title: document.title, kind: document.kind, may: isSettled || node.id === graph.terminal }
      : null,
    lateFork: lateForkBrief(graph, walk),
  }
}

/** Describes the fork that the learner may still answer after the walk has left it; null if there is none. */
export function lateForkBrief(graph: Graph, walk: Walk): NodeBrief['lateFork'] {
  const fork = lateFork(graph, walk)
  return fork && { content: fork.node.pivot, taken: fork.taken }
}

function aheadBrief(node: SpeakingNode): NodeAhead {
  const { id, kind, intent, content } = node
  return { id, kind, intent, item: content[0]?.lines[0] ?? null, isHeard: false }
}

/**
 * Returns the constraint (the content that the learner must acknowledge) of the first gate that is not satisfied.
 * Returns null if the walk has already had an exchange in that gate, or if every gate is satisfied.
 */
function unsaidIn(graph: Graph, walk: Walk): string | null {
  for (const id of graph.order) {
    const node = graph.nodes[id]
    if (!node || !speaks(node) || !node.isGate || walk.satisfied.includes(id)) continue
    const isSaid = walk.visits.some((visit) => visit.node === id && visit.exchanges > 0)
    return isSaid ? null : (node.content[0]?.lines[0] ?? null)
  }
  return null
}

function forkBrief(node: PivotNode, walk: Walk): NodeBrief['pivot'] {
  const state = walk.pivots[node.id]
  const armed = state?.state === 'armed'
  return { content: node.pivot, armed, asked: armed ? (state.asked ?? 1) : 0 }
}

/** Builds the description of a decision node for a selection request. The actor does not speak in such a node. */
export function briefDecision(graph: Graph, node: DecideNode, walk: Walk): NodeBrief {
  const { id, kind, intent } = node
  return { ...NEUTRAL_BRIEF, id, kind, intent, state: stateBrief(graph, node, walk, null) }
}

/**
 * Builds the brief of a turn after the end of the conversation: the actor only answers the learner.
 *
 * @param satisfyWhen when the learner may still earn the objective; null if they may not
 */
export function briefAfter(satisfyWhen: string | null = null, late: NodeBrief['lateFork'] = null): NodeBrief {
  const after = { id: 'AFTER', kind: 'speak', intent: '', state: null, isAfter: true } as const
  return { ...NEUTRAL_BRIEF, ...after, satisfyWhen, lateFork: late }
}

/** What every brief has unless the node says otherwise: no content to tell, no question to ask and nothing to judge. */
export const NEUTRAL_BRIEF: Omit<NodeBrief, 'id' | 'kind' | 'intent' | 'state'> = {
  satisfyWhen: null,
  content: [],
  isGate: false,
  isHeard: false,
  isTerminal: false,
  turns: 0,
  minTurns: 0,
  escalated: false,
  pivot: null,
  overlay: null,
  landsOn: null,
  stay: [],
  ahead: null,
  leaving: null,
  document: null,
  lateFork: null,
}

/**
 * Returns the author's guidelines for the actor at this node, in this turn. A node's own guidelines already include the
 * graph's global guidelines. The guidelines of an active behavior in mode `merge` are appended to the node's
 * guidelines; in mode `overwrite` the behavior's guidelines replace all of the node's guidelines except the hard
 * boundaries (`isHard`). At a decision node, the active behavior has no effect.
 */
export function guidelinesFor(graph: Graph, node: SpeakingNode | DecideNode, walk: Walk): Guidelines {
  if (!speaks(node)) return { navigation: node.guidelines, action: [], boundary: [] }
  const behavior = activeBehavior(graph, walk)
  return behavior ? guidedBy(node.guidelines, behavior) : node.guidelines
}

/** Returns the active behavior; null if no behavior is active, or if the graph no longer has the active behavior. */
function activeBehavior(graph: Graph, walk: Walk): BehaviorSet | null {
  const active = walk.behavior?.behavior
  return graph.behaviors.find(({ id }) => id === active) ?? null
}

function guidedBy(own: Guidelines, { mode, guidelines }: BehaviorSet): Guidelines {
  const kept =
    mode === 'merge' ? own : { navigation: [], action: [], boundary: own.boundary.filter(({ isHard }) => isHard) }
  return {
    navigation: [...kept.navigation, ...guidelines.navigation],
    action: [...kept.action, ...guidelines.action],
    boundary: [...kept.boundary, ...guidelines.boundary],
  }
}

/**
 * Builds the description of a context graph's state for the actor: the graph's map, the state's name, its actions and
 * its guidelines (`guidelinesFor`).
 *
 * @param action the index of the node's selected action; null before a selection, and in a decision node
 */
export function stateBrief(
  graph: Graph,
  node: SpeakingNode | DecideNode,
  walk: Walk,
  action: number | null,
): StateBrief {
  const module = graph.modules[node.module]
  const actions = speaks(node) ? node.actions : []
  const selected = action === null ? undefined : actions[action]
  const guidelines = guidelinesFor(graph, node, walk)
  const behavior = activeBehavior(graph, walk)
  return {
    description: module?.description ?? '',
    topology: module?.topology ?? '',
    name: stateName(node),
    module: node.module,
    actions,
    action: action === null || selected === undefined ? null : { index: action, text: selected },
    engaged: walk.engaged,
    guidelines,
    behavior: behavior && { id: behavior.id, mode: behavior.mode },
    contexts: speaks(node) ? node.contexts : [],
    thoughts: inMind(walk.thoughts),
    density: densityOf({
      objective: node.intent,
      actions,
      guidelines,
      exits: node.exits,
    }),
  }
}
