import { verifiedLearner } from '../../trust/learner.ts'
import type { Scope } from '../scope.ts'
import type { Person } from './erasing.ts'
import { subjectOf } from './tombstones.ts'

/**
 * A person by what they are called. Whom a host's server has vouched for is known in their own conversations by the code
 * of that name ([trust-14]) and in what the tenant has written by the name itself: whoever asks for the name means both. Asked
 * for by the code, or by an anonymous learner's id, there is nothing behind it but what bears that very id.
 */
export async function personOf(scope: Pick<Scope, 'secret' | 'tenant'>, user: string): Promise<Person> {
  const { id } = await verifiedLearner(scope.secret, scope.tenant, user)
  const ids = [user, id]
  return { ids, subjects: await Promise.all(ids.map((each) => subjectOf(scope, each))) }
}

/** For `json_each`. */
export function idsOf({ ids }: Person): string {
  return JSON.stringify(ids)
}

/** A condition: that a column names the person whose ids are bound there. */
export function isOf(column: string, parameter: string): string {
  return `${column} IN (SELECT value FROM json_each(${parameter}))`
}

/** The same of a context or a memory. Of what is about nobody it is false and not unknown, so that NOT of it is true. */
export function ofPerson(row: string, parameter: string): string {
  return `(${row}.user_id IS NOT NULL AND ${isOf(`${row}.user_id`, parameter)})`
}
