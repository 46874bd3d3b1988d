import type { AutoComplete, ContextStatus } from '../context.ts'

/** A context above another, as far as its completion is concerned. */
export interface ParentState {
  readonly id: string
  readonly status: ContextStatus
  readonly autoComplete: AutoComplete
  readonly children: number
  /** Whether a child keeps it open, but for the one that would be completed just before it. */
  readonly open: boolean
}

interface Completions {
  /** Upwards. */
  readonly completed: readonly string[]
  /** Where it stops, and why; null when the root is reached. */
  readonly skipped: { readonly id: string; readonly reason: Reason } | null
}

type Reason = 'never' | 'not-active' | 'children-open' | 'no-children'

/** Which of the contexts above are to be completed, one after the other, and where that ends (B2-5). */
export function parentsToComplete(upwards: readonly ParentState[]): Completions {
  const completed: string[] = []
  for (const parent of upwards) {
    const reason = whyNot(parent)
    if (reason) return { completed, skipped: { id: parent.id, reason } }
    completed.push(parent.id)
  }
  return { completed, skipped: null }
}

function whyNot({ status, autoComplete, children, open }: ParentState): Reason | null {
  if (autoComplete === 'never') return 'never'
  if (status !== 'active') return 'not-active'
  if (children === 0) return 'no-children'
  return open ? 'children-open' : null
}
