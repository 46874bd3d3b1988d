import type { RelationshipLevel } from '../../wire/messages.ts'
import type { Guard } from '../graph/graph.ts'
import type { RelationshipPolicy } from '../graph/policy.ts'
import type { Walk } from './walk.ts'

/** Whether a condition holds for a walk as it stands. */
export function holds(
  guard: Guard,
  walk: Pick<Walk, 'relationship' | 'satisfied'>,
  policy: RelationshipPolicy,
): boolean {
  if ('relationship' in guard) return rank(walk.relationship.level, policy) >= rank(guard.relationship.atLeast, policy)
  if ('satisfied' in guard) return walk.satisfied.includes(guard.satisfied)
  if ('all' in guard) return guard.all.every((part) => holds(part, walk, policy))
  if ('any' in guard) return guard.any.some((part) => holds(part, walk, policy))
  return !holds(guard.not, walk, policy)
}

function rank(level: RelationshipLevel, policy: RelationshipPolicy): number {
  return policy.levels.findIndex((step) => step.level === level)
}
