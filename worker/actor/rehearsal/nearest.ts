import type { Npc } from '../../core/scenario/scenario.ts'
import type { Synonyms } from '../../core/text/stems.ts'
import { Comparison, phraseOf } from './closeness.ts'
import { type FoundAnswer, searchEntries } from './retrieve.ts'
import type { WordTable } from './word-table.ts'

/** From this closeness on, an entry surely answers the message. */
const SURE = 0.68
/** From this closeness on, an entry is better than no answer. */
const LIKELY = 0.55

export interface Nearest extends FoundAnswer {
  readonly isSure: boolean
}

/** Returns the entry whose meaning is closest to a message; null if none is close. */
export function nearestEntry(message: string, npc: Npc, synonyms: Synonyms, table: WordTable): Nearest | null {
  const entries = searchEntries(npc, synonyms)
  const closeness = comparisonOf(npc, synonyms, table).closeness(message)
  const at = closeness.reduce((top, close, index) => (close > (closeness[top] ?? 0) ? index : top), 0)
  const [entry, fit] = [entries[at], closeness[at] ?? 0]
  return entry === undefined || fit < LIKELY ? null : { entry, fit, isForeseen: true, isSure: fit >= SURE }
}

function comparisonOf(npc: Npc, synonyms: Synonyms, table: WordTable): Comparison {
  const known = comparisons.get(npc)
  if (known?.table === table) return known.comparison
  const entries = searchEntries(npc, synonyms).map(({ asks, say, point }) => ({
    asks: asks.map(phraseOf),
    says: [...say, ...(point === null ? [] : [point])].map(phraseOf),
  }))
  const comparison = new Comparison(entries, table)
  comparisons.set(npc, { table, comparison })
  return comparison
}

const comparisons = new WeakMap<Npc, { readonly table: WordTable; readonly comparison: Comparison }>()
