import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { committedOrBusy } from '../commit.ts'
import type { Scope } from '../scope.ts'
import { mergedData } from './change-context.ts'
import { insertContexts, newContext, type NewContext, under, waiting } from './new-context.ts'

/**
 * Creates a root and its steps in one transaction. A step whose request names no person gets the root's person.
 *
 * @throws ERASURE_RUNNING, BUSY
 */
export function createPattern(
  scope: Scope,
  { pattern, steps, ...whole }: OperationInput<'createPattern'>,
): Promise<OperationOutput<'createPattern'>> {
  const top = newContext(scope.newId('ctx'), whole, null)
  const parts = steps.map((step): PatternStep => {
    const about = { ...step, userId: step.userId ?? whole.userId }
    return { id: scope.newId('ctx'), contextUnder: (parent, id) => newContext(id, about, under(parent)) }
  })
  const contexts = [top, ...PATTERNS[pattern](top, parts)]
  return committedOrBusy(async () => {
    const [root, ...created] = (await insertContexts(scope, contexts)) ?? []
    return root ? { root, steps: created } : null
  })
}

interface PatternStep {
  readonly id: string
  contextUnder(parent: NewContext, id: string): NewContext
}

const PATTERNS = { sequence, approval, parallel } as const

/**
 * Makes steps in a sequence. The first step is active. Every other step waits for the previous step. `data.stepNumber`
 * counts from 1.
 */
function sequence(root: NewContext, parts: readonly PatternStep[]): readonly NewContext[] {
  const numbered = parallel(root, parts).map((step, index) => ({
    ...step,
    data: mergedData(step.data, { stepNumber: index + 1 }),
  }))
  return numbered.map((step, index) => {
    const before = numbered[index - 1]
    return before ? waiting(step, before) : step
  })
}

/**
 * Makes nested approvals: the first is a child of `request`, the pattern's root, and every other approval is a child of
 * the previous one. Each approval waits for its parent. There is one exception: if the root has `autoComplete`, the
 * root is completed only after all approvals, so the first approval does not wait and is active from the start. No step
 * number is added to an approval's data, because an approval inherits data, and the number would hide an inherited
 * value of the same key.
 */
function approval(request: NewContext, parts: readonly PatternStep[]): readonly NewContext[] {
  const levels: NewContext[] = []
  for (const part of parts) {
    const above = levels.at(-1) ?? request
    const level = part.contextUnder(above, part.id)
    levels.push(above === request && request.autoComplete !== 'never' ? level : waiting(level, above))
  }
  return levels
}

function parallel(root: NewContext, parts: readonly PatternStep[]): readonly NewContext[] {
  return parts.map((part) => part.contextUnder(root, part.id))
}
