import type { TaskScene } from '../../core/briefing/task.ts'
import type { Request } from '../../core/walk/event.ts'
import { bestOf } from './best.ts'
import { hear } from './hear.ts'
import { likenesses } from './likeness.ts'
import { synonymsOf } from '../../core/text/stems.ts'
import { firstNamesIn } from './vocabulary.ts'

/** A behavior is matched from this likeness of a trigger on, and only this far ahead of any other. */
const MATCHES_FROM = 0.5
const MATCHES_AHEAD = 0.1

/**
 * Which behavior the learner's message sets off, by its triggers; null when none clearly does. One in force that still
 * matches stays, unless another does so clearly better.
 */
export function matchTrigger(
  { offered, active }: Extract<Request, { type: 'behavior-request' }>,
  { learner, scenario }: TaskScene,
): string | null {
  const candidates = offered.map(({ triggers }) => ({ descriptions: triggers, cues: [] }))
  const scores = likenesses(hear(learner, firstNamesIn(scenario)), candidates, synonymsOf(scenario))
  const best = bestOf(scores)
  if (best === null || best.score < MATCHES_FROM) return null
  if (best.lead >= MATCHES_AHEAD) return offered[best.index]?.id ?? null
  const inForce = scores[offered.findIndex(({ id }) => id === active)] ?? 0
  return inForce >= MATCHES_FROM ? active : null
}
