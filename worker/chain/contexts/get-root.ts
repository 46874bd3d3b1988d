import type { Input, Output } from '../api/operations.ts'
import type { Scope } from '../scope.ts'
import { contextById, contextNotFound } from './read-context.ts'
import { lineOf } from './get-chain.ts'

/**
 * The root of a context's workflow. Where that is missing, the topmost context there is above it.
 *
 * @throws ChainError CONTEXT_NOT_FOUND
 */
export async function getRoot(scope: Scope, { context: id }: Input<'getRoot'>): Promise<Output<'getRoot'>> {
  const context = (await contextById(scope, id)) ?? contextNotFound()
  if (context.rootId === id) return context
  return (await contextById(scope, context.rootId)) ?? (await lineOf(scope, id))[0] ?? contextNotFound()
}
