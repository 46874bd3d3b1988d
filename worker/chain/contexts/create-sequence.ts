import type { Input, Output } from '../api/operations.ts'
import { committedOrBusy } from '../commit.ts'
import type { Scope } from '../scope.ts'
import { insertContexts } from './insert-contexts.ts'
import { mergedData } from './merge-data.ts'
import { newContext, type NewContext, under, waiting } from './new-context.ts'

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
