import type { Ignored, Step, Trace, WalkEvent } from './event.ts'
import type { Walk } from './walk.ts'

/** A step with what the log keeps of what came before it. */
export function after(trace: readonly Trace[], step: Step): Step {
  return trace.length === 0 ? step : { ...step, trace: [...trace, ...step.trace] }
}

/** An event that changed nothing, and why. */
export function ignored(walk: Walk, event: WalkEvent, why: Ignored): Step {
  return { walk, effects: [], trace: [{ type: 'ignored', event: event.type, why }] }
}
