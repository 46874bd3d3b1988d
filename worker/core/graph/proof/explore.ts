import { startWalk, type Walk } from '../../walk/walk.ts'
import type { Graph } from '../graph.ts'
import type { Grain, Move, Walker } from './moves.ts'
import { keyFor, withoutHistory } from './situation-key.ts'
import { choicesAt, make } from './try-choices.ts'

/** A way a walk can stand, as far as any rule can tell. */
export interface Situation {
  readonly walk: Walk
  /** The quickest way here: the situation before and the move from it. Null at the start. */
  readonly from: { readonly situation: Situation; readonly move: Move } | null
  readonly exits: Passage[]
}

export interface Passage {
  readonly to: Situation
  readonly move: Move
}

/** More than this, and a graph counts as too large to prove. TECHNICAL needs 50. */
const MOST_SITUATIONS = 60_000

export interface Explored {
  readonly situations: readonly Situation[]
  /** False when there were too many to try them all. */
  readonly isWhole: boolean
}

/**
 * Every situation a walk can get into, breadth first from both entries.
 *
 * What a turn began with is read again only by a loop of silent nodes, and what was asked before only matters to one.
 * So situations are told apart without either at first, with recalls that can find something any time; a graph in
 * which even that meets no loop has none, and is proven. Only for the others is it gone through again to the letter.
 */
export function explore(graph: Graph, walker: Walker): Explored {
  const { hasLoops, ...explored } = exploreAll(graph, walker, 'coarse')
  return hasLoops && explored.isWhole ? exploreAll(graph, walker, 'fine') : explored
}

function exploreAll(graph: Graph, walker: Walker, grain: Grain): Explored & { readonly hasLoops: boolean } {
  const key = keyFor(graph, grain)
  const known = new Map<string, Situation>()
  const queue: Situation[] = []
  let hasLoops = false
  const meet = (walk: Walk, from: Situation['from']): Situation => {
    const name = key(walk)
    const met = known.get(name)
    if (met) return met
    const situation: Situation = { walk: withoutHistory(walk), from, exits: [] }
    known.set(name, situation)
    queue.push(situation)
    return situation
  }
  meet(startWalk(graph, 'new'), null)
  meet(startWalk(graph, 'returning'), null)
  for (let at = 0; at < queue.length; at++) {
    const here = queue[at]
    if (!here || here.walk.end) continue
    for (const choice of choicesAt(graph, here.walk, walker)) {
      const { walk, move, isLoop } = make(graph, here.walk, choice, { walker, grain })
      here.exits.push({ to: meet(walk, { situation: here, move }), move })
      hasLoops ||= isLoop
    }
    if (known.size > MOST_SITUATIONS) return { situations: queue, isWhole: false, hasLoops }
  }
  return { situations: queue, isWhole: true, hasLoops }
}

/** The moves that lead to a situation, first first. */
export function pathTo(situation: Situation): readonly Move[] {
  const moves: Move[] = []
  for (let here = situation; here.from; here = here.from.situation) moves.push(here.from.move)
  return moves.toReversed()
}

/** Whether a walk is between turns. */
export function isAtRest(walk: Walk): boolean {
  return walk.open === null
}
