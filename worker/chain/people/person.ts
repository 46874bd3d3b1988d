import { verifiedLearner } from '../../trust/learner.ts'
import type { Scope } from '../scope.ts'
import type { Person } from './erasing.ts'
import { subjectOf } from './tombstones.ts'

/**
 * Returns all ids under which the chain may store the person whom a request calls `user`. The deployment's
 * conversations store a verified learner under a keyed hash of the name ([trust-14]). Records that the tenant writes
 * contain the name itself. So a name leads to both kinds of records. A hash, or an anonymous learner's id, leads only
 * to records under that same id.
 */
export async function personOf(scope: Pick<Scope, 'secret' | 'tenant'>, user: string): Promise<Person> {
  const { id } = await verifiedLearner(scope.secret, scope.tenant, user)
  const ids = [user, id]
  return { ids, subjects: await Promise.all(ids.map((each) => subjectOf(scope, each))) }
}

/** Returns the person's ids as a JSON list, for `json_each`. */
export function idsOf({ ids }: Person): string {
  return JSON.stringify(ids)
}

/** Returns the condition that a column has one of the values in a JSON list. */
export function isOf(column: string, parameter: string): string {
  return `${column} IN (SELECT value FROM json_each(${parameter}))`
}

/**
 * Returns the condition that the `user_id` of a row is in a JSON list of ids. If `user_id` is null, the condition is
 * false instead of unknown, so that its negation with NOT is true.
 */
export function ofPerson(row: string, parameter: string): string {
  return `(${row}.user_id IS NOT NULL AND ${isOf(`${row}.user_id`, parameter)})`
}
