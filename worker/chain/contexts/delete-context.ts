import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { commit, type CommitResult, committedOrBusy, guard } from '../commit.ts'
import { firstRow, type Scope, type Statement, statement } from '../scope.ts'
import { contextNotFound } from './read-context.ts'

const CHILDREN = 'SELECT child_count AS children FROM contexts WHERE tenant = ?1 AND id = ?2'

/**
 * Deletes a context: alone, with everything under it, or so that its children become roots or move to its parent.
 *
 * @throws CONTEXT_NOT_FOUND, HAS_CHILDREN (in the mode `leaf`), BUSY
 */
export function deleteContext(
  scope: Scope,
  input: OperationInput<'deleteContext'>,
): Promise<OperationOutput<'deleteContext'>> {
  return committedOrBusy(async () => {
    const found = await firstRow<{ children: number }>(scope, CHILDREN, input.context)
    if (!found) return contextNotFound()
    return input.mode === 'leaf' ? await removeLeaf(scope, input.context, found.children) : await remove(scope, input)
  })
}

/**
 * Deletes a context without children. Returns null if another request has given the context children or deleted it
 * meanwhile.
 */
async function removeLeaf(
  scope: Scope,
  id: string,
  children: number,
): Promise<OperationOutput<'deleteContext'> | null> {
  if (children > 0) throw new ChainError('HAS_CHILDREN', 'the context has children', '/params/context')
  const stillAlone = guard(scope, `(${CHILDREN}) = 0`, id)
  const done = await commit(scope, { guards: [stillAlone], writes: removing(scope, [id], 'cascade') })
  return done.ok ? { deleted: removedBy(done.wrote).ids.length, reparented: 0, promoted: 0 } : null
}

/** Deletes a context in a mode other than `leaf`. Returns null if another request has deleted the context meanwhile. */
async function remove(
  scope: Scope,
  { context, mode }: OperationInput<'deleteContext'>,
): Promise<OperationOutput<'deleteContext'> | null> {
  if (mode === 'leaf') return null
  const done = await commit(scope, { guards: [], writes: removing(scope, [context], mode) })
  if (!done.ok) return null
  const { ids, ...moved } = removedBy(done.wrote)
  return ids.length > 0 ? { deleted: ids.length, ...moved } : null
}

type Removal = 'cascade' | 'orphan-to-root' | 'orphan-to-parent'

export interface RemovedContexts {
  /** The ids of all deleted contexts, oldest first. */
  readonly ids: readonly string[]
  /** Number of children of deleted contexts that moved to another context. */
  readonly reparented: number
  /** Number of children of deleted contexts that became roots. */
  readonly promoted: number
}

/**
 * Makes the SQL statements that delete contexts as one set: with everything under them, or so that their remaining
 * children become roots or move to the nearest remaining ancestor. Everything under a moved child gets the new root and
 * depth. The tables' triggers and foreign keys remove versions, counts and search words. If a step waited for a deleted
 * step, it then waits for the step that the deleted step waited for.
 *
 * The cost grows only with the number of contexts under the deleted contexts. Ids without a context are ignored.
 */
export function removing(scope: Scope, ids: readonly string[], mode: Removal): readonly Statement[] {
  const list = JSON.stringify(ids)
  if (mode === 'cascade') return [statement(scope, DELETE_WITH_ALL_UNDER, list)]
  const toRoot = mode === 'orphan-to-root' ? 1 : 0
  return [
    statement(scope, COUNT_LEFT, list, toRoot),
    statement(scope, MOVE_LEFT, list, toRoot),
    statement(scope, DELETE_THESE, list),
  ]
}

/** Reads the results of the statements that `removing` made. */
export function removedBy(wrote: Extract<CommitResult, { ok: true }>['wrote']): RemovedContexts {
  // RETURNING gives rows in no defined order.
  const gone = (wrote.at(-1)?.rows ?? []).toSorted(
    (one, other) =>
      Number(one['created_at']) - Number(other['created_at']) || Number(one['row']) - Number(other['row']),
  )
  const left = wrote.length > 1 ? wrote[0]?.rows[0] : undefined
  const ids = gone.map(({ id }) => String(id))
  return { ids, reparented: Number(left?.['reparented'] ?? 0), promoted: Number(left?.['promoted'] ?? 0) }
}

// UNION drops repeated ids, so that the recursion also ends if the parents form a cycle.
const DELETE_WITH_ALL_UNDER = `DELETE FROM contexts WHERE tenant = ?1 AND id IN (
    WITH RECURSIVE below (id) AS (
      SELECT value FROM json_each(?2)
      UNION
      SELECT child.id FROM below CROSS JOIN contexts AS child ON child.tenant = ?1 AND child.parent_id = below.id
    )
    SELECT id FROM below
  ) RETURNING id, created_at, row`

const DELETE_THESE = `DELETE FROM contexts
  WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2)) RETURNING id, created_at, row`

/**
 * Recursively visits everything under the contexts to delete, and computes the new position of each context. `heir` is
 * the parent that the children of a visited context get: the visited context itself if it remains, otherwise the
 * nearest remaining context above it. If `?3` is 1, a deleted context has no heir, and its children become roots. The
 * recursion starts at each of the topmost contexts to delete, and never returns to its start. Only damaged data can
 * contain a cycle of parents. In a cycle, every context is above every other. There the recursion starts at the
 * smallest id, and the children of that context become roots, which breaks the cycle.
 */
const WALK = `WITH RECURSIVE
  gone (id) AS (SELECT value FROM json_each(?2)),
  above (id, at) AS (
    SELECT contexts.id, contexts.parent_id FROM gone
      CROSS JOIN contexts ON contexts.tenant = ?1 AND contexts.id = gone.id
    UNION
    SELECT above.id, contexts.parent_id FROM above
      CROSS JOIN contexts ON contexts.tenant = ?1 AND contexts.id = above.at
  ),
  tops (id, circles) AS (
    SELECT gone.id, EXISTS (SELECT 1 FROM above WHERE above.id = gone.id AND above.at = gone.id) FROM gone
    WHERE NOT EXISTS (
      SELECT 1 FROM above WHERE above.id = gone.id AND above.at <> gone.id AND above.at IN (SELECT id FROM gone)
        AND NOT (above.at > gone.id AND EXISTS (SELECT 1 FROM above AS back WHERE back.id = above.at AND back.at = gone.id))
    )
  ),
  walk (row, id, top, stays, freed, parent_id, root_id, depth, heir, heir_root, heir_depth) AS (
    SELECT top.row, top.id, top.id, 0, 0, NULL, NULL, 0, parent.id, parent.root_id, coalesce(parent.depth + 1, 0)
    FROM tops CROSS JOIN contexts AS top ON top.tenant = ?1 AND top.id = tops.id
    LEFT JOIN contexts AS parent ON ?3 = 0 AND NOT tops.circles AND parent.tenant = ?1 AND parent.id = top.parent_id
    UNION
    SELECT child.row, child.id, walk.top, child.id NOT IN (SELECT id FROM gone), NOT walk.stays,
      walk.heir, coalesce(walk.heir_root, child.id), walk.heir_depth,
      CASE WHEN child.id NOT IN (SELECT id FROM gone) THEN child.id WHEN ?3 = 0 THEN walk.heir END,
      CASE WHEN child.id NOT IN (SELECT id FROM gone) THEN coalesce(walk.heir_root, child.id)
        WHEN ?3 = 0 THEN walk.heir_root END,
      CASE WHEN child.id NOT IN (SELECT id FROM gone) THEN walk.heir_depth + 1
        WHEN ?3 = 0 THEN walk.heir_depth ELSE 0 END
    FROM walk CROSS JOIN contexts AS child ON child.tenant = ?1 AND child.parent_id = walk.id
    WHERE child.id <> walk.top
  )`

const COUNT_LEFT = `${WALK}
  SELECT count(parent_id) AS reparented, count(*) - count(parent_id) AS promoted FROM walk WHERE stays AND freed`

const MOVE_LEFT = `${WALK}
  UPDATE contexts SET parent_id = walk.parent_id, root_id = walk.root_id, depth = walk.depth
  FROM walk WHERE walk.stays AND contexts.row = walk.row`
