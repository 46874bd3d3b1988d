import type { Graph } from '../graph/graph.ts'
import type { Trace } from './event.ts'
import type { Walk } from './walk.ts'

/**
 * Takes the one behavior an exchange was matched to. Another one than before is activated under an id of its
 * own; the same one goes on; none lets the active one go on for a while, so that a short answer in between does not
 * end it.
 *
 * @param matched a behavior's id, or null when none applies; one the graph does not have counts as none.
 */
export function matchBehavior(
  graph: Graph,
  walk: Walk,
  matched: string | null,
): { readonly walk: Walk; readonly trace: readonly Trace[] } {
  const behavior = graph.behaviors.find(({ id }) => id === matched)
  const active = walk.behavior
  if (behavior && behavior.id === active?.behavior) return kept(walk, 0)
  if (behavior) {
    const activation = `behavior:${walk.activations + 1}`
    return {
      walk: { ...walk, activations: walk.activations + 1, behavior: { activation, behavior: behavior.id, quiet: 0 } },
      trace: [
        ...released(walk),
        { type: 'behavior-activated', activation, behavior: behavior.id, mode: behavior.mode },
      ],
    }
  }
  if (!active) return { walk, trace: [] }
  if (active.quiet < graph.policy.inside.behaviorPatience) return kept(walk, active.quiet + 1)
  return { walk: { ...walk, behavior: null }, trace: released(walk) }
}

function kept(walk: Walk, quiet: number): { walk: Walk; trace: readonly Trace[] } {
  if (!walk.behavior) return { walk, trace: [] }
  const { activation } = walk.behavior
  return { walk: { ...walk, behavior: { ...walk.behavior, quiet } }, trace: [{ type: 'behavior-kept', activation }] }
}

function released({ behavior }: Walk): readonly Trace[] {
  return behavior ? [{ type: 'behavior-released', activation: behavior.activation }] : []
}
