import type { Input, Output } from '../api/operations.ts'
import type { Scope } from '../scope.ts'
import { commitFor } from './commit-for.ts'
import { joinUpwards } from './join-upwards.ts'

/**
 * Lets somebody take part in a context and in everything above it (S2-10), in one statement. A second time it changes nothing.
 *
 * @throws CONTEXT_NOT_FOUND, ERASURE_RUNNING
 */
export function addParticipant(
  scope: Scope,
  { context, participant }: Input<'addParticipant'>,
): Promise<Output<'addParticipant'>> {
  return commitFor(scope, context, [joinUpwards(scope, context, participant)], [participant])
}
