import { findAnswers } from './read-answer.ts'
import { readQuoted } from './report-pairs.ts'

/**
 * Reads which behavior applies.
 *
 * @param ids those that were offered; no other ever comes back.
 * @returns the id; null for an answer that none applies; undefined for one that can't be read or names another, which
 * is no reason to take a behavior out of force.
 */
export function readBehavior(text: string, ids: readonly string[]): string | null | undefined {
  const found = findAnswers(text, ['behavior'])
  if (!found.ok) return undefined
  const raws = found.objects.flatMap((pairs) => pairs.flatMap(({ key, raw }) => (key === 'behavior' ? [raw] : [])))
  const answers = new Set(raws.map((raw) => readOne(raw, ids)))
  const [only] = answers
  return answers.size === 1 ? only : undefined
}

function readOne(raw: string, ids: readonly string[]): string | null | undefined {
  const text = readQuoted(raw) ?? raw
  if (ids.includes(text)) return text
  return /^(?:null|none|)$/i.test(text) ? null : undefined
}
