import { type ChoiceExit, isChoice, type DecideNode, type Graph, type SpeakingNode, speaks } from '../graph/graph.ts'
import type { Walk } from './walk.ts'

/** What can be selected where a walk stands. */
export interface Offers {
  readonly actions: readonly string[]
  readonly exits: readonly ChoiceExit[]
}

/**
 * What can be selected in a node now. A speaking node keeps its exits back while it may not be left: before its least
 * number of turns, as a gate that was not satisfied, and once enough exits were chosen in this turn.
 * A call too deep is not offered where there is something else.
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
