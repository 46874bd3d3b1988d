import { clean } from '../text/clean.ts'
import { cap } from './characters.ts'
import { withoutKeyNames } from './known-keys.ts'
import { readQuoted } from './report-pairs.ts'

const MAX_ITEMS = 24

/** One line of plain text of at most `limit` UTF-16 code units, or null for what is no text. */
export function coerceText(value: unknown, limit: number): string | null {
  if (typeof value !== 'string') return null
  return cap(clean(value).replaceAll(/\s+/g, ' ').trim(), limit).trimEnd()
}

/**
 * A list of texts. A lone text is a list of one; what is no text is left out. A later briefing tells them again, so none
 * of them names a field, or every report after it would be taken for an echo.
 */
export function coerceTexts(value: unknown, limit: number): readonly string[] | null {
  const items = typeof value === 'string' ? [value] : value
  if (!Array.isArray(items)) return null
  const texts = items
    .slice(0, MAX_ITEMS)
    .map((item) => coerceText(typeof item === 'string' ? withoutKeyNames(item) : item, limit))
  return texts.filter((text) => text !== null && text !== '') as string[]
}

/** A whole number from -2 to 2; null for what is no number. */
export function coerceScore(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return null
  // Adding 0 makes 0 of -0, which JSON cannot tell from it.
  return Math.max(-2, Math.min(2, Math.round(number))) + 0
}

/** What a flag's value says as the model wrote it, or null for what says neither. */
export function readFlag(raw: string): boolean | null {
  const word = (readQuoted(raw) ?? raw).trim().toLowerCase()
  if (TRUE_WORDS.has(word)) return true
  return FALSE_WORDS.has(word) ? false : null
}

const TRUE_WORDS = new Set(['true', 'yes', '1'])
const FALSE_WORDS = new Set(['false', 'no', '0', 'null', 'none', ''])
