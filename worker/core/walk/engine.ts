import type { Graph } from '../graph/graph.ts'
import type { Step, WalkEvent } from './event.ts'
import { legacyStep, startLegacyWalk } from './legacy.ts'
import { step } from './step.ts'
import { startWalk, type Walk } from './walk.ts'

/** The two walkers. A walk stores the name of its walker and keeps it to the end. */
export type WalkEngine = Walk['engine']

/**
 * Starts a walk on the given engine.
 *
 * @param graph for `legacy` a graph made by `legacyGraphFor`, on which a returning learner starts like a new learner
 */
export function beginWalk(engine: WalkEngine, graph: Graph, person: 'new' | 'returning' = 'new'): Walk {
  return engine === 'legacy' ? startLegacyWalk(graph) : startWalk(graph, person)
}

/** Applies an event to a walk, with the engine that the walk was started on. */
export function walkOn(graph: Graph, walk: Walk, event: WalkEvent): Step {
  return walk.engine === 'legacy' ? legacyStep(graph, walk, event) : step(graph, walk, event)
}
