import type { Graph } from '../graph/graph.ts'
import type { Step, WalkEvent } from './event.ts'
import { legacyStep, startLegacyWalk } from './legacy.ts'
import { step } from './step.ts'
import { startWalk, type Walk } from './walk.ts'

/** The walkers there are. A walk names its own and keeps it to the end. */
export type Engine = Walk['engine']

/**
 * Begins a walk. The engine is chosen here, once.
 *
 * @param graph for `legacy` one made by `legacyGraphFor`; somebody who comes back begins like anybody else there
 */
export function beginWalk(engine: Engine, graph: Graph, person: 'new' | 'returning' = 'new'): Walk {
  return engine === 'legacy' ? startLegacyWalk(graph) : startWalk(graph, person)
}

/** What becomes of a walk when something happens, decided by the engine it was begun on. */
export function walkOn(graph: Graph, walk: Walk, event: WalkEvent): Step {
  return walk.engine === 'legacy' ? legacyStep(graph, walk, event) : step(graph, walk, event)
}
