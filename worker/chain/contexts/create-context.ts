import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { committedOrBusy, guard } from '../commit.ts'
import type { Context, ContextStatus } from '../context.ts'
import { firstRow, type Scope, type Statement } from '../scope.ts'
import { insertContexts, newContext, type ChildPosition, under, whyNoChild } from './new-context.ts'

const IS_THERE = 'EXISTS (SELECT 1 FROM contexts WHERE tenant = ?1 AND id = ?2)'

/**
 * Creates a root, or a child of a context.
 *
 * @throws CONTEXT_EXISTS first, so that a repeated request gets the same error whatever happened to the parent;
 *   otherwise PARENT_NOT_FOUND, PARENT_TERMINAL, MAX_DEPTH, ERASURE_RUNNING, BUSY
 */
export function createContext(
  scope: Scope,
  input: OperationInput<'createContext'>,
): Promise<OperationOutput<'createContext'>> {
  const id = input.id ?? scope.newId('ctx')
  return committedOrBusy(async () => {
    const fresh = await notTaken(scope, input.id)
    const spot = await placeUnder(scope, input)
    const created = await insertContexts(scope, [newContext(id, input, spot.place)], [...fresh, ...spot.guards])
    return onlyOf(created)
  })
}

/**
 * Checks that no context has the id that the caller chose. Returns a guard that holds while no context has the id.
 *
 * @throws CONTEXT_EXISTS
 */
async function notTaken(scope: Scope, id: string | undefined): Promise<readonly Statement[]> {
  if (id === undefined) return []
  if (await firstRow(scope, `SELECT 1 WHERE ${IS_THERE}`, id)) {
    throw new ChainError('CONTEXT_EXISTS', 'there is a context of this id', '/body/id')
  }
  return [guard(scope, `NOT ${IS_THERE}`, id)]
}

function onlyOf(created: readonly Context[] | null): Context | null {
  return created?.[0] ?? null
}

/** Returns the position under the parent, and a guard that holds while the parent is as it was read. */
async function placeUnder(
  scope: Scope,
  { parentId, underTerminal }: OperationInput<'createContext'>,
): Promise<{ readonly place: ChildPosition | null; readonly guards: readonly Statement[] }> {
  if (parentId === undefined) return { place: null, guards: [] }
  const sql = 'SELECT root_id AS rootId, depth, status FROM contexts WHERE tenant = ?1 AND id = ?2'
  const parent = await firstRow<{ rootId: string; depth: number; status: ContextStatus }>(scope, sql, parentId)
  if (!parent) throw new ChainError('PARENT_NOT_FOUND', 'there is no such parent', '/body/parentId')
  const refused = whyNoChild(parent, underTerminal)
  if (refused) throw new ChainError(refused, REFUSALS[refused], '/body/parentId')
  const asItWas =
    'EXISTS (SELECT 1 FROM contexts WHERE tenant = ?1 AND id = ?2 AND root_id = ?3 AND depth = ?4 AND status = ?5)'
  return {
    place: under({ id: parentId, ...parent }),
    guards: [guard(scope, asItWas, parentId, parent.rootId, parent.depth, parent.status)],
  }
}

const REFUSALS = {
  PARENT_TERMINAL: 'the parent is completed or cancelled',
  MAX_DEPTH: 'the parent is as deep as a context may be',
}
