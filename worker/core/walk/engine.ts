import type { Graph } from '../graph/graph.ts'
import type { Step, WalkEvent } from './event.ts'
import { legacyStep, startLegacyWalk } from './legacy.ts'
import { step } from './step.ts'
import { startWalk, type Walk } from './walk.ts'

/** The walkers there are. A walk names its own and keeps it to the end. */
export type WalkEngine = Walk['engine']

/**
 * Begins a walk. The engine is chosen here, once.
 *
 * @param graph for `legacy` one made by `legacyGraphFor`; a returning learner begins there like a new one
 */
export function beginWalk(engine: WalkEngine, graph: Graph, person: 'new' | 'returning' = 'new'): Walk {
  return engine === 'legacy' ? startLegacyWalk(graph) : startWalk(graph, person)
}

/** Applies an event to a walk, by the engine it was begun on. */
export function walkOn(graph: Graph, walk: Walk, event: WalkEvent): Step {
  return walk.engine === 'legacy' ? legacyStep(graph, walk, event) : step(graph, walk, event)
}
