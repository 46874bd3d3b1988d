import type { DecisionView } from '../../wire/run.ts'

/**
 * Whether a fact counts for a decision: it was heard by then. One that is attached to it was, whatever two machines' clocks say.
 *
 * @param fact its id, and when it was heard in milliseconds since 1970
 */
export function heardBy(
  { evidence, at }: Pick<DecisionView, 'evidence' | 'at'>,
  fact: { readonly id: string; readonly at: number },
): boolean {
  return evidence.includes(fact.id) || fact.at <= at
}
