import type { Paging } from '../api/context-shapes.ts'
import type { Input, Output } from '../api/operations.ts'
import type { ContextStatus } from '../context.ts'
import type { Scope } from '../scope.ts'
import { filteredList } from './list-contexts.ts'
import { type List, pageOf } from './read-page.ts'
import { requireContext } from './read-context.ts'

/**
 * A page of the children of a context.
 *
 * @throws ChainError CONTEXT_NOT_FOUND, INVALID_CURSOR
 */
export async function listChildren(
  scope: Scope,
  { context, status, ...paging }: Input<'listChildren'>,
): Promise<Output<'listChildren'>> {
  const list = childrenList(scope, { context, status }, paging)
  await requireContext(scope, context)
  return pageOf(scope, list)
}

export function childrenList(
  scope: Scope,
  { context, status }: { readonly context: string; readonly status?: ContextStatus | undefined },
  paging: Paging,
): List {
  return filteredList(scope, { parentId: context, status }, { list: 'children', ...paging })
}
