import type { Graph } from '../../worker/core/graph/graph.ts'
import { walkOn } from '../../worker/core/walk/engine.ts'
import type { Step, WalkEvent } from '../../worker/core/walk/event.ts'
import type { Walk } from '../../worker/core/walk/walk.ts'
import { type Act, eventsOf, type Played } from './walk-events.ts'

/** Plays acts of a learner with the engine with which the walk was started. */
export function playOn(graph: Graph, acts: readonly Act[], from: Walk): Played {
  const steps: { event: WalkEvent; before: Walk; step: Step }[] = []
  let walk = from
  for (const act of acts) {
    for (const event of eventsOf(act, walk)) {
      const taken = walkOn(graph, walk, event)
      steps.push({ event, before: walk, step: taken })
      walk = taken.walk
    }
  }
  const effects = steps.flatMap(({ step }) => step.effects)
  return { walk, steps, effects, trace: steps.flatMap(({ step }) => step.trace) }
}

/** Returns the ids of the commands, in order. */
export function commandIds({ effects }: Pick<Played, 'effects'>): readonly string[] {
  return effects.flatMap((effect) => (effect.type === 'command' ? [effect.id] : []))
}

/** Returns the node that each briefing is about, in order. */
export function briefs({ effects }: Pick<Played, 'effects'>) {
  return effects.flatMap((effect) => (effect.type === 'brief' ? [effect.node] : []))
}
