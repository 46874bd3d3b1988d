import type { Pick } from '../walk/event.ts'
import { findAnswers } from './read-answer.ts'
import type { RawPair } from './report-pairs.ts'
import { readQuoted } from './report-pairs.ts'

/**
 * Reads which action or exit was picked. Fail closed: null unless exactly one index is given, to the digit, and it is
 * one of those offered. Both at once, two answers that differ, a field given twice with two values, anything cut or
 * out of range: null. Nothing is ever rounded, counted from another end or found in prose.
 *
 * @param offered how many there were of each
 */
export function readPick(text: string, offered: { readonly actions: number; readonly exits: number }): Pick | null {
  const found = findAnswers(text, ['action', 'exit'])
  if (!found.ok) return null
  const picks = found.objects.map((pairs) => pickIn(pairs, offered))
  const [first = null, ...rest] = picks
  if (first === null) return null
  return rest.every((other) => other !== null && isSame(first, other)) ? first : null
}

function pickIn(pairs: readonly RawPair[], offered: { actions: number; exits: number }): Pick | null {
  const action = indexIn(pairs, 'action', offered.actions)
  const exit = indexIn(pairs, 'exit', offered.exits)
  if (typeof action === 'number') return exit === 'none' ? { action } : null
  return typeof exit === 'number' && action === 'none' ? { exit } : null
}

/** `none`: the field is not there, or null. */
function indexIn(pairs: readonly RawPair[], name: string, count: number): number | 'none' | 'unreadable' {
  const values = new Set(pairs.flatMap(({ key, raw }) => (key === name ? [raw] : [])))
  if (values.size > 1) return 'unreadable'
  const [raw = 'null'] = values
  if (raw === 'null') return 'none'
  const digits = readQuoted(raw)?.trim() ?? raw
  if (!/^(?:0|[1-9]\d{0,5})$/.test(digits)) return 'unreadable'
  return Number(digits) < count ? Number(digits) : 'unreadable'
}

function isSame(a: Pick, b: Pick): boolean {
  return 'action' in a ? 'action' in b && a.action === b.action : 'exit' in b && a.exit === b.exit
}
