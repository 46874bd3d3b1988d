import { GRANTABLE, type Grantable } from '../api/grant-operations.ts'
import type { OperationInput, OperationName } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { rows, type Scope } from '../scope.ts'

/**
 * Somebody who may read only what was granted: a token that allows nothing else, or a person on whose behalf a server of
 * the tenant reads.
 */
export interface GrantReader {
  readonly of: 'token' | 'person'
  readonly id: string
}

export function isGrantable(name: OperationName): name is Grantable {
  return GRANTABLE.some((each) => each === name)
}

/** What a read needs: the context that has to be granted, for which operations, and whether with all under it. */
interface Need {
  readonly context: string | undefined
  readonly operations: readonly Grantable[]
  readonly isUnder: boolean
}

/**
 * Lets a reader's request pass only if a live grant allows all of it. A context that was not granted is answered as one
 * that does not exist.
 *
 * @param input the request's input, checked by the schemas of the operation
 * @throws ChainError CONTEXT_NOT_FOUND
 */
export async function requireGrant(scope: Scope, reader: GrantReader, name: Grantable, input: unknown): Promise<void> {
  const { context, operations, isUnder } = NEEDS[name](input as never)
  const isAllowed = context !== undefined && (await Promise.all(operations.map((each) => holds(each)))).every(Boolean)
  if (!isAllowed) throw new ChainError('CONTEXT_NOT_FOUND', 'There is no context of this id.')

  async function holds(operation: Grantable): Promise<boolean> {
    const found = await rows(scope, HELD[reader.of], context ?? '', reader.id, operation, scope.now(), isUnder ? 1 : 0)
    return found.length > 0
  }
}

const NEEDS: { readonly [N in Grantable]: (input: OperationInput<N>) => Need } = {
  // What a context inherits is the data of the contexts above it, so nothing under it is enough for that.
  getContext: ({ context, children, inherited, version, at }) => ({
    context: inherited ? undefined : context,
    operations: ['getContext', ...(version === undefined && at === undefined ? [] : (['listVersions'] as const))],
    isUnder: children,
  }),
  listContexts: ({ ancestorId, parentId, at, history }) => ({
    context: ancestorId ?? parentId,
    operations: ['listContexts', ...(at === undefined && !history ? [] : (['listVersions'] as const))],
    isUnder: true,
  }),
  listVersions: ({ context }) => ({ context, operations: ['listVersions'], isUnder: false }),
}

/**
 * SQL that selects a row if a reader (`?3`) has a live grant for an operation (`?4`) on a context (`?2`): a grant on the
 * context itself, or on one above it with everything under it. With `?6` = 1, the grant has to be for everything under
 * the context too. UNION drops repeated ids, so that the recursion also ends if the parents form a cycle.
 */
function heldBy(column: 'token' | 'user_id'): string {
  return `WITH RECURSIVE line (id) AS (
      SELECT ?2
      UNION SELECT below.parent_id FROM line CROSS JOIN contexts AS below ON below.tenant = ?1 AND below.id = line.id
      WHERE below.parent_id IS NOT NULL
    )
    SELECT 1 AS held FROM line CROSS JOIN grants INDEXED BY grants_by_${column === 'token' ? 'token' : 'user'}_context
      ON grants.tenant = ?1 AND grants.${column} = ?3 AND grants.context_id = line.id
    WHERE grants.revoked_at IS NULL AND (grants.expires_at IS NULL OR grants.expires_at > ?5)
      AND (grants.is_under = 1 OR (line.id = ?2 AND ?6 = 0))
      AND EXISTS (SELECT 1 FROM json_each(grants.operations) WHERE value = ?4)
    LIMIT 1`
}

const HELD = { token: heldBy('token'), person: heldBy('user_id') } as const
