import type { Input, Output } from '../api/operations.ts'
import { committedOrBusy } from '../commit.ts'
import type { Scope } from '../scope.ts'
import { insertContexts } from './insert-contexts.ts'
import { newContext, type NewContext, under, waiting } from './new-context.ts'

/**
 * Creates a request and its approvals, each under the one before it and blocked until that is completed (S2-15, B2-12). An
 * approval's data is what it is given: an `approved: null` for everybody would hide what those above have said (B2-9).
 *
 * @throws ERASURE_RUNNING, BUSY
 */
export function createApproval(scope: Scope, input: Input<'createApproval'>): Promise<Output<'createApproval'>> {
  const contexts = approval(() => scope.newId('ctx'), input)
  return committedOrBusy(async () => {
    const chain = await insertContexts(scope, contexts)
    return chain && { levels: chain.length, maxDepth: chain.length - 1, chain }
  })
}

/** From the request down. Whoever the whole is about, its parts are about, unless they say otherwise. */
function approval(newId: () => string, { approvals, ...request }: Input<'createApproval'>): readonly NewContext[] {
  let above = newContext(newId(), request, null)
  const chain = [above]
  for (const { userId = request.userId, ...level } of approvals) {
    above = waiting(newContext(newId(), { ...level, userId }, under(above)), above)
    chain.push(above)
  }
  return chain
}
