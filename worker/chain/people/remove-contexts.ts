import { type Scope, type Statement, statement, type SqlValue } from '../scope.ts'
import { isOf } from './person.ts'

/**
 * All contexts that an erasure or retention will delete: an SQL condition on a context, and the value of the
 * condition's parameter.
 */
export interface DoomedContexts {
  readonly doomed: (context: string, parameter: string) => string
  readonly value: SqlValue
}

/**
 * The most levels that the recursion follows, so that the recursion also ends if the parents form a cycle. A tree has
 * eleven levels at most.
 */
const NO_DEEPER = 64

/**
 * Makes the statements that delete one page of all the contexts that are to be deleted (`doomed`). Remaining children
 * of a deleted context move to the nearest ancestor that does not meet `doomed`, or become roots. Everything under a
 * moved child gets the new root and depth. The result after the last page does not depend on the order of the pages.
 *
 * @param page ids of the contexts to delete; a context that no longer meets `doomed` is not deleted
 */
export function removeContexts(
  scope: Scope,
  page: readonly string[],
  { doomed, value }: DoomedContexts,
): readonly Statement[] {
  const ids = JSON.stringify(page)
  const inPage = (context: string) => `${isIn(context, '?2')} AND ${doomed(context, '?3')}`
  const climbing = climbed(inPage, (context) => doomed(context, '?3'))
  return [
    // A negative depth marks the moved rows within this transaction. The rows are selected by row number only, because
    // with a condition on the tenant SQLite would read all of the tenant's contexts first.
    statement(
      scope,
      `WITH RECURSIVE ${climbing}
       UPDATE contexts SET depth = -1, parent_id = moved.parent FROM moved
       WHERE contexts.row = moved.child`,
      ids,
      value,
    ),
    statement(scope, RECOUNT),
    // Contexts in a cycle of parents have no root from which to count their depth. They get the depth 0, and
    // `verifyIntegrity` reports the cycle.
    statement(scope, 'UPDATE contexts SET depth = 0 WHERE tenant = ?1 AND depth = -1'),
    statement(scope, `DELETE FROM contexts WHERE tenant = ?1 AND ${inPage('contexts')}`, ids, value),
  ]
}

/** Returns the condition that a context's id is in a JSON list. */
export function isIn(context: string, parameter: string): string {
  return `${context}.id IN (SELECT value FROM json_each(${parameter}))`
}

/**
 * Returns SQL for one row of counts of a removal: how many contexts are `deleted`, how many remaining contexts get
 * another parent (`reparented`), and how many become roots (`promoted`). The counts of all pages add up to the counts
 * of a removal of all contexts at once.
 */
export function countRemoval(inPage: (context: string) => string, doomed: (context: string) => string): string {
  return `WITH RECURSIVE ${climbed(inPage, doomed)}, stays (parent) AS (
      SELECT moved.parent FROM moved CROSS JOIN contexts c ON c.tenant = ?1 AND c.row = moved.child
      WHERE NOT ${doomed('c')})
    SELECT
      (SELECT count(*) FROM contexts c WHERE c.tenant = ?1 AND ${inPage('c')}) AS deleted,
      (SELECT count(*) FROM stays WHERE parent IS NOT NULL) AS reparented,
      (SELECT count(*) FROM stays WHERE parent IS NULL) AS promoted`
}

/**
 * Returns SQL that finds the new parent of each context that loses its parent with this page. CROSS JOIN fixes the
 * order of the join, because SQLite does not know the sizes of the tables and might read all of a tenant's contexts
 * first.
 *
 * `climb` starts from the children of the page's contexts, except children that are on the page themselves. For each of
 * these children, `climb` has one row with each ancestor of the child, up to the first ancestor that remains. `moved`
 * has one row for each of these children, with the remaining ancestor, or null if no ancestor remains. `moved` is
 * materialized, because otherwise SQLite would compute `climb` again for each child. In a cycle of parents, the
 * recursion visits each context once.
 */
function climbed(inPage: (context: string) => string, doomed: (context: string) => string): string {
  return `climb (child, at) AS (
      SELECT c.row, p.parent_id FROM contexts p CROSS JOIN contexts c ON c.tenant = ?1 AND c.parent_id = p.id
      WHERE p.tenant = ?1 AND ${inPage('p')} AND NOT (${inPage('c')})
      UNION
      SELECT climb.child, a.parent_id FROM climb CROSS JOIN contexts a ON a.tenant = ?1 AND a.id = climb.at WHERE ${doomed('a')}
    ), moved (child, parent) AS MATERIALIZED (
      SELECT climb.child, max(k.id)
      FROM climb LEFT JOIN contexts k ON k.tenant = ?1 AND k.id = climb.at AND NOT ${doomed('k')}
      GROUP BY climb.child
    )`
}

/**
 * Recalculates the roots and depths of the contexts marked with the depth -1, and of everything under them, from their
 * present parents.
 */
const RECOUNT = `WITH RECURSIVE up (row, id, at, parent, steps) AS (
    SELECT row, id, id, parent_id, 0 FROM contexts WHERE tenant = ?1 AND depth = -1
    UNION
    SELECT up.row, up.id, p.id, p.parent_id, up.steps + 1
    FROM up CROSS JOIN contexts p ON p.tenant = ?1 AND p.id = up.parent WHERE up.steps < ${NO_DEEPER}
  ), placed (row, id, root, depth) AS (
    SELECT row, id, at, steps FROM up
    WHERE parent IS NULL OR NOT EXISTS (SELECT 1 FROM contexts p WHERE p.tenant = ?1 AND p.id = up.parent)
    UNION
    SELECT c.row, c.id, placed.root, placed.depth + 1
    FROM placed CROSS JOIN contexts c ON c.tenant = ?1 AND c.parent_id = placed.id WHERE placed.depth < ${NO_DEEPER}
  )
  UPDATE contexts SET root_id = placed.root, depth = placed.depth FROM placed WHERE contexts.row = placed.row`

/**
 * Returns SQL that counts the contexts that meet `isTop`, and everything under them, as `deleted`. Each context counts
 * once.
 */
export function countSubtrees(isTop: (context: string) => string): string {
  return `WITH RECURSIVE ${below(isTop)} SELECT count(*) AS deleted FROM below`
}

/**
 * Makes the statement that deletes a person's contexts with everything under them, even contexts about other people.
 */
export function removeSubtrees(scope: Scope, page: readonly string[], ids: string): Statement {
  const isTop = (context: string) => `${isIn(context, '?2')} AND ${isOf(`${context}.user_id`, '?3')}`
  return statement(
    scope,
    `WITH RECURSIVE ${below(isTop)} DELETE FROM contexts WHERE tenant = ?1 AND id IN (SELECT id FROM below)`,
    JSON.stringify(page),
    ids,
  )
}

/** Returns SQL that selects the contexts that meet `isTop`, and everything under them. */
export function below(isTop: (context: string) => string): string {
  return `below (id) AS (
    SELECT c.id FROM contexts c WHERE c.tenant = ?1 AND ${isTop('c')}
    UNION
    SELECT c.id FROM below CROSS JOIN contexts c ON c.tenant = ?1 AND c.parent_id = below.id)`
}
