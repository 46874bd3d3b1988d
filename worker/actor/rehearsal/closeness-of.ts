import type { BriefingScene } from '../../core/briefing/briefing.ts'
import { type Comparable, MessageComparison } from './closeness.ts'
import { readerOf } from './spanish.ts'
import type { WordTable } from './word-table.ts'

/** Returns how close the learner's message is to each of a few texts. */
export function closenessOf(
  { scenario, learner }: Pick<BriefingScene, 'scenario' | 'learner'>,
  table: WordTable | null,
  texts: readonly Comparable[],
): Float32Array {
  const { authored, heard } = readerOf(scenario)
  const read = texts.map(({ asks, says }) => ({ asks: asks.map(authored), says: says.map(authored) }))
  return new MessageComparison(read, table).closeness(heard(learner))
}
