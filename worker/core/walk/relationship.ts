import type { RelationshipLevel } from '../../wire/messages.ts'
import type { RelationshipPolicy } from '../graph/policy.ts'

/** The colleague's attitude towards the learner. The level always follows from the score. */
export interface Relationship {
  readonly score: number
  readonly level: RelationshipLevel
}

/** Returns the level of a score: the last level whose threshold the score reaches. */
export function levelOf(score: number, policy: RelationshipPolicy): RelationshipLevel {
  const reached = policy.levels.findLast(({ from }) => score >= from)
  return (reached ?? policy.levels[0])?.level ?? 'neutral'
}

/** Moves the score by `delta`, within the policy's bounds. A `delta` that is not finite moves nothing. */
export function moved(relationship: Relationship, delta: number, policy: RelationshipPolicy): Relationship {
  const step = Number.isFinite(delta) ? Math.trunc(delta) : 0
  const score = Math.min(policy.highest, Math.max(policy.lowest, relationship.score + step))
  return { score, level: levelOf(score, policy) }
}

/** Limits a report's engagement score to -2 … 2. A score that is not a finite number counts as 0 ([walk-10]). */
export function clampEngagement(score: number): number {
  return Number.isFinite(score) ? Math.max(-2, Math.min(2, score)) : 0
}
