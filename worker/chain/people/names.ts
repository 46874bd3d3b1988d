import { type Scope, type Statement, statement } from '../scope.ts'
import type { Person } from './erasing.ts'
import { publishedNpcs } from '../scenarios/scenario-versions.ts'
import { idsOf, isOf } from './person.ts'

const ERASED = 'erased'

/**
 * Returns the names of a person that an erasure replaces, as a JSON list for `json_each`. A name that the deployment
 * itself uses, such as a colleague's, is left out.
 */
export async function namesOf(scope: Scope, { ids }: Person): Promise<string> {
  const own = new Set([ERASED, ...scope.erasing.ownNames, ...(await publishedNpcs(scope))])
  return JSON.stringify(ids.filter((id) => !own.has(id)))
}

/**
 * The SQL condition that a context `c` names an erased person or one of the person's conversations. `?2` is the list
 * that `idsOf` makes, and `?3` the list that `namesOf` makes. The condition does not search texts: the tenant itself
 * has to find what its texts say about the person.
 */
export const NAMED = `(${isOf('c.updated_by', '?3')} OR ${isOf('c.space', '?3')}
  OR EXISTS (SELECT 1 FROM json_each(c.participants) p WHERE ${isOf('p.value', '?3')})
  OR EXISTS (SELECT 1 FROM sessions s WHERE s.tenant = ?1 AND s.session = c.conversation_id AND ${isOf('s.user_id', '?2')})
  OR EXISTS (SELECT 1 FROM context_versions v WHERE v.tenant = ?1 AND v.context_id = c.id AND ${isOf('v.made_by', '?3')}))`

/**
 * Makes the statements that remove a person's names from the contexts with ids after `from` and up to `to`, and from
 * the versions of these contexts.
 *
 * @param names the list that `namesOf` makes
 */
export function scrubContexts(
  scope: Scope,
  person: Person,
  names: string,
  { from, to }: { readonly from: string; readonly to: string },
): readonly Statement[] {
  const page = 'tenant = ?1 AND id > ?4 AND id <= ?5'
  const rest = 'tenant = ?1 AND context_id > ?4 AND context_id <= ?5'
  const all: readonly string[] = [
    `UPDATE contexts SET updated_by = '${ERASED}' WHERE ${page} AND ${isOf('updated_by', '?3')}`,
    `UPDATE contexts SET space = '${ERASED}' WHERE ${page} AND ${isOf('space', '?3')}`,
    // GROUP BY keeps each participant once, in order. So if two names of a person are replaced, one participant
    // remains.
    `UPDATE contexts SET participants = (SELECT json_group_array(name) FROM (
       SELECT CASE WHEN ${isOf('value', '?3')} THEN '${ERASED}' ELSE value END AS name
       FROM json_each(contexts.participants) GROUP BY name ORDER BY min(key)))
     WHERE ${page} AND EXISTS (SELECT 1 FROM json_each(contexts.participants) p WHERE ${isOf('p.value', '?3')})`,
    `UPDATE contexts SET conversation_id = NULL, message_ids = NULL
     WHERE ${page} AND EXISTS (SELECT 1 FROM sessions s
       WHERE s.tenant = ?1 AND s.session = contexts.conversation_id AND ${isOf('s.user_id', '?2')})`,
    `UPDATE context_versions SET made_by = '${ERASED}' WHERE ${rest} AND ${isOf('made_by', '?3')}`,
  ]
  const values = [idsOf(person), names, from, to]
  return all.map((sql) => statement(scope, sql, ...values))
}

/** Makes the statements that remove a person's names from the spaces of memories and from the sources of facts. */
export function scrubMemories(scope: Scope, names: string): readonly Statement[] {
  return [
    statement(scope, `UPDATE memories SET space = '${ERASED}' WHERE tenant = ?1 AND ${isOf('space', '?2')}`, names),
    statement(scope, `UPDATE facts SET source = '${ERASED}' WHERE tenant = ?1 AND ${isOf('source', '?2')}`, names),
  ]
}

/** Makes the statements that delete the grants to a person, and remove the person's names from the grants that they made. */
export function scrubGrants(scope: Scope, person: Person, names: string): readonly Statement[] {
  return [
    statement(scope, `DELETE FROM grants WHERE tenant = ?1 AND ${isOf('user_id', '?2')}`, idsOf(person)),
    statement(scope, `UPDATE grants SET made_by = '${ERASED}' WHERE tenant = ?1 AND ${isOf('made_by', '?2')}`, names),
  ]
}
