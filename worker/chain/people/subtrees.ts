import { type Scope, type Statement, statement } from '../scope.ts'
import { isIn } from './remove-contexts.ts'
import { isOf } from './person.ts'

/** How many contexts there are from some on downwards, as `deleted`; none is counted twice. */
export function countSubtrees(isTop: (context: string) => string): string {
  return `WITH RECURSIVE ${below(isTop)} SELECT count(*) AS deleted FROM below`
}

/** Deletes a person's contexts with everything under them, whoever it is about. */
export function removeSubtrees(scope: Scope, page: readonly string[], ids: string): Statement {
  const isTop = (context: string) => `${isIn(context, '?2')} AND ${isOf(`${context}.user_id`, '?3')}`
  return statement(
    scope,
    `WITH RECURSIVE ${below(isTop)} DELETE FROM contexts WHERE tenant = ?1 AND id IN (SELECT id FROM below)`,
    JSON.stringify(page),
    ids,
  )
}

/** The contexts themselves and all that hangs from them. */
export function below(isTop: (context: string) => string): string {
  return `below (id) AS (
    SELECT c.id FROM contexts c WHERE c.tenant = ?1 AND ${isTop('c')}
    UNION
    SELECT c.id FROM below CROSS JOIN contexts c ON c.tenant = ?1 AND c.parent_id = below.id)`
}
