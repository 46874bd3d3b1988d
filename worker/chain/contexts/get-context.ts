import type { Input, Output } from '../api/operations.ts'
import type { Scope } from '../scope.ts'
import { inheritedData } from './inherited-data.ts'
import { childrenList } from './list-children.ts'
import { contextById } from './read-context.ts'
import { pageOf } from './read-page.ts'
import { contextNotFound } from './require-context.ts'
import { lineOf } from './way-up.ts'

/** Of its children so many come with a context (S2-22). The others are listed. */
const CHILDREN = 100

/**
 * One context, by itself unless more is asked for.
 *
 * @throws ChainError CONTEXT_NOT_FOUND
 */
export async function getContext(
  scope: Scope,
  { context: id, children, inherited }: Input<'getContext'>,
): Promise<Output<'getContext'>> {
  const chain = inherited ? await lineOf(scope, id) : []
  const context = (inherited ? chain.at(-1) : await contextById(scope, id)) ?? contextNotFound()
  return {
    context,
    ...(children && {
      children: (await pageOf(scope, childrenList(scope, { context: id }, { limit: CHILDREN }))).items,
    }),
    ...(inherited && { inherited: { ...inheritedData(chain), chain } }),
  }
}
