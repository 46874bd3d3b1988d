import { type Scope, type Statement, statement, type SqlValue } from '../scope.ts'
import { isOf } from './person.ts'

/** Which contexts go in the end: a condition on one of them, with `value` bound to the parameter it is given. */
export interface DoomedContexts {
  readonly doomed: (context: string, parameter: string) => string
  readonly value: SqlValue
}

/** A tree is eleven levels deep; what goes round in a circle has to come to an end too. */
const NO_DEEPER = 64

/**
 * Deletes a page of the contexts that are to go. What is under them and stays goes to its nearest ancestor that stays,
 * past others that are still there and will go as well, or becomes a root; roots and depths of all that hangs from it are
 * counted anew. In whatever order the pages are taken, what stays is where it belongs when the last of them has
 * gone.
 *
 * @param page ids of those to be deleted now; what is not doomed any more stays
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
    // A depth that nothing has marks what was moved, in this transaction alone. By rows and nothing else: with the tenant
    // beside them SQLite would begin with all of a tenant's contexts.
    statement(
      scope,
      `WITH RECURSIVE ${climbing}
       UPDATE contexts SET depth = -1, parent_id = moved.parent FROM moved
       WHERE contexts.row = moved.child`,
      ids,
      value,
    ),
    statement(scope, RECOUNT),
    // What goes round in a circle has no root to count from; it stays for `verifyIntegrity` to find.
    statement(scope, 'UPDATE contexts SET depth = 0 WHERE tenant = ?1 AND depth = -1'),
    statement(scope, `DELETE FROM contexts WHERE tenant = ?1 AND ${inPage('contexts')}`, ids, value),
  ]
}

/** The ids of a page, in the parameter. */
export function isIn(context: string, parameter: string): string {
  return `${context}.id IN (SELECT value FROM json_each(${parameter}))`
}

/**
 * What removing comes to, as one row: how many contexts are `deleted`, and how many that stay are `reparented` or
 * `promoted`. Asked before each page, the sums are those of asking once for all of them.
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
 * CROSS JOIN keeps SQLite to this order: it knows nothing of how much there is, and would as soon begin with all of a
 * tenant's contexts.
 *
 * `climb`: each child of the page that is not of the page itself, by its row, with its ancestors up to the first that
 * stays. `moved`: the child with that one, or null. It is made once and for all: asked again for each child, the climb of
 * all of them would be read each time. Of a circle every member is passed once.
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

/** Roots and depths of what is marked, and of everything under it, by the parents as they are now. */
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
