import type { RelationshipLevel } from '../../wire/messages.ts'
import type { RelationshipPolicy } from '../graph/policy.ts'

/** The colleague's attitude towards the learner. The level always follows from the score. */
export interface Relationship {
  readonly score: number
  readonly level: RelationshipLevel
}

/** The level of a score: the last one whose threshold it reaches. */
export function levelOf(score: number, policy: RelationshipPolicy): RelationshipLevel {
  const reached = policy.levels.filter(({ from }) => score >= from)
  return (reached.at(-1) ?? policy.levels[0])?.level ?? 'neutral'
}

/** Moves the score by `delta`, within the policy's bounds. Something that is no finite number moves nothing. */
export function moved(relationship: Relationship, delta: number, policy: RelationshipPolicy): Relationship {
  const step = Number.isFinite(delta) ? Math.trunc(delta) : 0
  const score = Math.min(policy.highest, Math.max(policy.lowest, relationship.score + step))
  return { score, level: levelOf(score, policy) }
}

/** An exchange moves the relationship by -2 to 2, whatever a report says; by nothing, if that is no number ([walk-10]). */
export function clampEngagement(score: number): number {
  return Number.isFinite(score) ? Math.max(-2, Math.min(2, score)) : 0
}
