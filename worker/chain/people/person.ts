import { verifiedLearner } from '../../trust/learner.ts'
import type { Scope } from '../scope.ts'
import type { Person } from './erasing.ts'
import { subjectOf } from './tombstones.ts'

/**
 * Finds a person by a name. In their own conversations, a verified learner's id is a keyed hash ([trust-14]); in what
 * the tenant writes, it is their name. The name matches both. The hash, or an anonymous learner's id, matches only
 * itself.
 */
export async function personOf(scope: Pick<Scope, 'secret' | 'tenant'>, user: string): Promise<Person> {
  const { id } = await verifiedLearner(scope.secret, scope.tenant, user)
  const ids = [user, id]
  return { ids, subjects: await Promise.all(ids.map((each) => subjectOf(scope, each))) }
}

/** Returns the person's ids, for `json_each`. */
export function idsOf({ ids }: Person): string {
  return JSON.stringify(ids)
}

/** Returns the condition that a column has one of the person's ids. */
export function isOf(column: string, parameter: string): string {
  return `${column} IN (SELECT value FROM json_each(${parameter}))`
}

/**
 * Returns the same condition for the `user_id` of a row. If `user_id` is null, the condition is false, not unknown, so
 * that NOT of it is true.
 */
export function ofPerson(row: string, parameter: string): string {
  return `(${row}.user_id IS NOT NULL AND ${isOf(`${row}.user_id`, parameter)})`
}
