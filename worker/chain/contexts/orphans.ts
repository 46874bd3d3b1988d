import type { Paging } from '../api/context-shapes.ts'
import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { commit } from '../commit.ts'
import type { Context, Page } from '../context.ts'
import { rows, type Scope, type Statement, statement } from '../scope.ts'
import { readCursor } from './cursor.ts'
import { pageOf } from './read-page.ts'
import { type Sql, statementOf } from './sql.ts'

/**
 * Returns a page of the contexts whose parent is missing, in the order of the parents' ids. Triggers maintain a table
 * of the missing parents' ids (tables/context-counts.ts), so only orphans are read.
 *
 * @throws ChainError INVALID_CURSOR
 */
export function orphanPage(scope: Scope, { limit, cursor }: Paging): Promise<Page<Context>> {
  const self = { list: 'orphans', of: {} }
  const [parent = '', createdAt = -1, row = -1] = readCursor(scope, self, ['', 0, 0], cursor) ?? []
  const look = orphansAfter({ parent, createdAt, row }, limit + 1)
  return pageOf(scope, { is: self, key: ['parent_id', 'created_at', 'row'], look, rest: [], limit })
}

/**
 * Returns SQL that selects the orphans after a position: first the other children of the same missing parent, then the
 * children of the next missing parents. A single condition would read all of the first parent's children again.
 */
function orphansAfter(
  { parent, createdAt, row }: Readonly<Record<'parent' | 'createdAt' | 'row', number | string>>,
  most: number,
): Sql {
  const columns = 'contexts.parent_id, contexts.created_at, contexts.row, contexts.id'
  const joined = `missing_parents CROSS JOIN contexts INDEXED BY contexts_by_parent
    ON contexts.tenant = ?1 AND contexts.parent_id = missing_parents.id`
  return (bind) => {
    const after = bind(parent)
    return `SELECT * FROM (
        SELECT ${columns} FROM ${joined}
        WHERE missing_parents.tenant = ?1 AND missing_parents.id = ${after}
          AND (contexts.created_at, contexts.row) > (${bind(createdAt)}, ${bind(row)})
        ORDER BY contexts.created_at, contexts.row LIMIT ${most}
      ) AS rest_of_parent
      UNION ALL SELECT * FROM (
        SELECT ${columns} FROM ${joined}
        WHERE missing_parents.tenant = ?1 AND missing_parents.id > ${after}
        ORDER BY missing_parents.id, contexts.created_at, contexts.row LIMIT ${most}
      ) AS next_parents`
  }
}

/** The most contexts that one transaction deletes or moves. */
const MOST_AT_ONCE = 1_000
const MOST_ORPHANS = 100

/**
 * Deletes orphans with everything under them, or makes the orphans roots. One request handles a limited number of
 * orphans, and later requests handle the rest.
 *
 * @returns how many contexts were deleted or became roots, and how many orphans are left
 */
export async function repairOrphans(
  scope: Scope,
  { mode }: OperationInput<'repairOrphans'>,
): Promise<OperationOutput<'repairOrphans'>> {
  const repair = mode === 'delete' ? deleteStatement(scope) : promoteStatement(scope, await orphansToPromote(scope))
  const done = await commit(scope, { guards: [], writes: [repair, leftStatement(scope)] })
  // `done.ok` is always true, because the transaction has no guards.
  const [repaired, left] = done.ok ? done.wrote : []
  return {
    cleaned: (repaired?.rows ?? []).filter(({ depth }) => mode === 'delete' || depth === 0).length,
    left: Number(left?.rows[0]?.['n'] ?? 0),
  }
}

/**
 * Makes a statement that deletes orphans and everything under them, level by level, up to a limit. A context that
 * remains under a deleted context is an orphan, and the next request deletes it.
 */
function deleteStatement(scope: Scope): Statement {
  return statementOf(
    scope,
    (bind) => `WITH RECURSIVE doomed (row, id) AS (
        SELECT row, id FROM (${orphansAfter(START, MOST_ORPHANS)(bind)}) AS orphans
        UNION SELECT child.row, child.id FROM doomed CROSS JOIN contexts AS child INDEXED BY contexts_by_parent
          ON child.tenant = ?1 AND child.parent_id = doomed.id
        LIMIT ${MOST_AT_ONCE}
      )
      DELETE FROM contexts WHERE contexts.tenant = ?1 AND contexts.row IN (SELECT row FROM doomed)
      RETURNING depth`,
  )
}

/**
 * Returns the ids of as many orphans as can move in one transaction with everything under them, and at least one id.
 */
async function orphansToPromote(scope: Scope): Promise<readonly string[]> {
  const { sql, values } = statementOf(
    scope,
    (bind) => `WITH RECURSIVE tree (orphan, id) AS (
        SELECT id, id FROM (${orphansAfter(START, MOST_ORPHANS)(bind)} LIMIT ${MOST_ORPHANS}) AS orphans
        UNION SELECT tree.orphan, child.id FROM tree CROSS JOIN contexts AS child INDEXED BY contexts_by_parent
          ON child.tenant = ?1 AND child.parent_id = tree.id
      )
      SELECT orphan, count(*) AS n FROM tree GROUP BY orphan`,
  )
  const sizes = await rows<{ orphan: string; n: number }>(scope, sql, ...values.slice(1))
  let sum = 0
  return sizes.filter(({ n }, at) => (sum += n) <= MOST_AT_ONCE || at === 0).map(({ orphan }) => orphan)
}

/**
 * Makes a statement that turns orphans into roots and gives everything under them the new root and depth. An orphan
 * whose parent exists again does not change.
 */
function promoteStatement(scope: Scope, orphans: readonly string[]): Statement {
  return statement(
    scope,
    `WITH RECURSIVE tree (row, id, root, depth) AS (
      SELECT orphan.row, orphan.id, orphan.id, 0
      FROM json_each(?2) AS wanted CROSS JOIN contexts AS orphan ON orphan.tenant = ?1 AND orphan.id = wanted.value
      WHERE orphan.parent_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM contexts AS parent WHERE parent.tenant = ?1 AND parent.id = orphan.parent_id)
      UNION SELECT child.row, child.id, tree.root, tree.depth + 1
      FROM tree CROSS JOIN contexts AS child INDEXED BY contexts_by_parent
        ON child.tenant = ?1 AND child.parent_id = tree.id
    )
    UPDATE contexts SET root_id = tree.root, depth = tree.depth,
      parent_id = CASE tree.depth WHEN 0 THEN NULL ELSE contexts.parent_id END
    FROM tree WHERE contexts.tenant = ?1 AND contexts.row = tree.row
    RETURNING depth`,
    JSON.stringify(orphans),
  )
}

function leftStatement(scope: Scope): Statement {
  return statement(scope, 'SELECT coalesce(sum(children), 0) AS n FROM missing_parents WHERE tenant = ?1')
}

const START = { parent: '', createdAt: -1, row: -1 }
