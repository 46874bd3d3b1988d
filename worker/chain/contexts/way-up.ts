import type { Context } from '../context.ts'
import { rowsTogether, type Scope, type Statement } from '../scope.ts'
import { statementOf } from './condition.ts'
import { CONTEXT_COLUMNS, contextOf } from './read-context.ts'

/**
 * Everything above a context, and the context itself, in no order. UNION keeps no id twice, so that a circle ends; what is
 * missing ends it too.
 */
export function lineStatement(scope: Scope, context: string): Statement {
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

/** From the topmost context there is down to this one; nothing when this one is not there. */
export async function lineOf(scope: Scope, context: string): Promise<readonly Context[]> {
  const [found = []] = await rowsTogether(scope, [lineStatement(scope, context)])
  return wayDown(found.map(contextOf), context)
}

/** Puts the contexts of a line in order, from the top down to this one. Where it goes in a circle it is cut open. */
export function wayDown(line: readonly Context[], context: string): readonly Context[] {
  const byId = new Map(line.map((each) => [each.id, each]))
  const way: Context[] = []
  for (let at = byId.get(context); at; at = at.parentId === null ? undefined : byId.get(at.parentId)) {
    way.unshift(at)
    byId.delete(at.id)
  }
  return way
}
