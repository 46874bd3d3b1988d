import { densityOf } from '../graph/density.ts'
import { type DecideNode, type Graph, type SpeakingNode, speaks, stateName } from '../graph/graph.ts'
import { activeBehavior, guidelinesFor } from '../walk/behave.ts'
import type { Walk } from '../walk/walk.ts'
import type { StateBrief } from './briefing.ts'
import { inMind } from './thoughts.ts'

/**
 * A context graph's state as an actor is told it: why, where and what, under the behavior in force.
 *
 * @param action which of the node's actions was selected; null before one is, and in a decision.
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
