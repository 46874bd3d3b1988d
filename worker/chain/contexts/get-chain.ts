import type { ContextFilter } from '../api/context-shapes.ts'
import type { OperationInput, OperationOutput } from '../api/operations.ts'
import type { Context } from '../context.ts'
import { rowsTogether, type Scope, type Statement } from '../scope.ts'
import { filteredList } from './list-contexts.ts'
import { CONTEXT_COLUMNS, contextNotFound, contextOf, requireContext } from './read-context.ts'
import { pageStatements, readPage } from './read-page.ts'
import { statementOf } from './sql.ts'

/**
 * Returns a context with its ancestors, children, siblings and descendants, all read at one moment. A parent that no
 * longer exists is left out. If the parents form a cycle, each context of the cycle appears once. To count
 * `lineageNodes` and `workflowNodes`, SQLite reads as many index rows as the workflow has contexts.
 *
 * @throws ChainError CONTEXT_NOT_FOUND
 */
export async function getChain(
  scope: Scope,
  { context: id, limit }: OperationInput<'getChain'>,
): Promise<OperationOutput<'getChain'>> {
  const standing = await requireContext(scope, id)
  const list = (filter: ContextFilter) => filteredList(scope, filter, { list: 'contexts', limit })
  const lists = [
    list({ parentId: id }),
    // No context has an empty id as its parent, so a root has no siblings.
    { ...list({ parentId: standing.parent_id ?? '' }), rest: [() => `contexts.row <> ${standing.row}`] },
    list({ ancestorId: id }),
  ] as const
  const [children, siblings, descendants] = lists
  const asked = [
    [lineStatement(scope, id)],
    [rootStatement(scope, standing.root_id)],
    [countsStatement(scope, id, standing.root_id)],
    ...lists.map((list) => pageStatements(scope, list)),
  ]
  const [line, root, counts, ...pages] = await together(scope, asked)
  const way = wayDown((line?.[0] ?? []).map(contextOf), id)
  const current = way.at(-1) ?? contextNotFound()
  const ancestors = way.slice(0, -1)
  const [count] = counts?.[0] ?? []
  return {
    current,
    root: (root?.[0] ?? []).map(contextOf)[0] ?? way[0] ?? current,
    parent: ancestors.at(-1) ?? null,
    ancestors,
    children: readPage(scope, children, pages[0] ?? []),
    siblings: readPage(scope, siblings, pages[1] ?? []),
    descendants: readPage(scope, descendants, pages[2] ?? []),
    depth: current.depth,
    lineageNodes: way.length + Number(count?.['below'] ?? 0),
    workflowNodes: Number(count?.['workflow'] ?? 0),
  }
}

/** Runs several groups of statements as one batch and returns the results in the same groups. */
async function together(scope: Scope, groups: readonly (readonly Statement[])[]) {
  const answers = await rowsTogether(scope, groups.flat())
  let from = 0
  return groups.map(({ length }) => answers.slice(from, (from += length)))
}

function rootStatement(scope: Scope, root: string): Statement {
  return statementOf(
    scope,
    (bind) => `SELECT ${CONTEXT_COLUMNS} FROM contexts WHERE contexts.tenant = ?1 AND contexts.id = ${bind(root)}`,
  )
}

/** Makes a statement that counts the contexts under a context, and all contexts of its workflow. */
function countsStatement(scope: Scope, context: string, root: string): Statement {
  return statementOf(
    scope,
    (bind) => `WITH RECURSIVE down (id) AS (
        SELECT ${bind(context)}
        UNION SELECT child.id FROM down CROSS JOIN contexts AS child INDEXED BY contexts_by_parent
          ON child.tenant = ?1 AND child.parent_id = down.id
      )
      SELECT (SELECT count(*) - 1 FROM down) AS below,
        (SELECT count(*) FROM contexts INDEXED BY contexts_by_root WHERE tenant = ?1 AND root_id = ${bind(root)})
          AS workflow`,
  )
}

/**
 * Makes a statement that selects a context and all its ancestors, in no order. UNION drops repeated ids, so that the
 * recursion also ends if the parents form a cycle. The recursion also ends at a missing parent.
 */
function lineStatement(scope: Scope, context: string): Statement {
  return statementOf(
    scope,
    (bind) => `WITH RECURSIVE line (id) AS (
        SELECT ${bind(context)}
        UNION SELECT below.parent_id FROM line CROSS JOIN contexts AS below ON below.tenant = ?1 AND below.id = line.id
        WHERE below.parent_id IS NOT NULL
      )
      SELECT ${CONTEXT_COLUMNS} FROM line CROSS JOIN contexts ON contexts.tenant = ?1 AND contexts.id = line.id`,
  )
}

/**
 * Returns a context and its ancestors, from the topmost ancestor down to the context; an empty list if the context is
 * missing.
 */
export async function lineOf(scope: Scope, context: string): Promise<readonly Context[]> {
  const [found = []] = await rowsTogether(scope, [lineStatement(scope, context)])
  return wayDown(found.map(contextOf), context)
}

/**
 * Sorts a context and its ancestors from the topmost ancestor down to the context. If the parents form a cycle, each
 * context of the cycle appears once.
 */
function wayDown(line: readonly Context[], context: string): readonly Context[] {
  const byId = new Map(line.map((each) => [each.id, each]))
  const way: Context[] = []
  for (let at = byId.get(context); at; at = at.parentId === null ? undefined : byId.get(at.parentId)) {
    way.unshift(at)
    byId.delete(at.id)
  }
  return way
}
