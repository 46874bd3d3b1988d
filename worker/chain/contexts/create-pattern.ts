import type { Input, Output } from '../api/operations.ts'
import { committedOrBusy } from '../commit.ts'
import type { Scope } from '../scope.ts'
import { mergedData } from './change-context.ts'
import { insertContexts, newContext, type NewContext, under, waiting } from './new-context.ts'

/**
 * Creates steps under one root that follow one another (S2-15, B2-11): the first is active, each other is blocked until the
 * one before it is completed. `data.stepNumber` counts them from 1.
 *
 * @throws ERASURE_RUNNING, BUSY
 */
export function createSequence(scope: Scope, input: Input<'createSequence'>): Promise<Output<'createSequence'>> {
  const contexts = sequence(() => scope.newId('ctx'), input)
  return committedOrBusy(async () => {
    const [root, ...steps] = (await insertContexts(scope, contexts)) ?? []
    return root ? { root, steps } : null
  })
}

/** The root, and then the steps in their order. Whoever the whole is about, its parts are about, unless they say otherwise. */
function sequence(newId: () => string, { steps, ...whole }: Input<'createSequence'>): readonly NewContext[] {
  const root = newContext(newId(), whole, null)
  const contexts = [root]
  for (const [index, { userId = whole.userId, ...step }] of steps.entries()) {
    const data = mergedData(step.data, { stepNumber: index + 1 })
    const context = newContext(newId(), { ...step, userId, data }, under(root))
    const before = contexts.at(-1)
    contexts.push(index === 0 || !before ? context : waiting(context, before))
  }
  return contexts
}

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

/**
 * Creates tasks that are all active at once under one root (S2-15, B2-13). Whoever the whole is about, its tasks are about,
 * unless they say otherwise.
 *
 * @throws ERASURE_RUNNING, BUSY
 */
export function createParallel(
  scope: Scope,
  { tasks, ...whole }: Input<'createParallel'>,
): Promise<Output<'createParallel'>> {
  const fork = newContext(scope.newId('ctx'), whole, null)
  const branches = tasks.map(({ userId = whole.userId, ...task }) =>
    newContext(scope.newId('ctx'), { ...task, userId }, under(fork)),
  )
  return committedOrBusy(async () => {
    const [root, ...created] = (await insertContexts(scope, [fork, ...branches])) ?? []
    return root ? { root, tasks: created } : null
  })
}
