import { hitsIn, piecesOf } from './search.ts'
import type { TextPiece, Range } from './search.ts'

/** A part of a document's line: a figure, numbered from 0 within the line, or the words between two figures. */
export interface Stretch {
  readonly figure: number | null
  readonly pieces: readonly TextPiece[]
  /** What closes a figure, and must not begin a line without it: a comma, a bracket. */
  readonly closing: string
}

/**
 * Finds the figures of a line: numbers with their sign, currency and unit. A number that names something is no figure:
 * "C.4", "item 14", "valve 7", "30 June", and "4.2 Exit" at the beginning of a line.
 */
export function figureRanges(line: string): readonly Range[] {
  const found: Range[] = []
  for (const match of line.matchAll(FIGURE)) {
    const from = match.index
    if (isName(line, from, match[0])) continue
    found.push({ from, to: from + match[0].length })
  }
  return found
}

/**
 * Splits a line, or its part from `from` to `to`, into figures and the words between them. Marks every part of a figure
 * or of the words that matches a search.
 */
export function stretchesOf(line: string, words: readonly string[], from = 0, to = line.length): readonly Stretch[] {
  const hits = hitsIn(words, line)
  const stretches: Stretch[] = []
  const add = (begin: number, end: number, figure: number | null, closing = '') => {
    const pieces = piecesOf(line, hits, begin, end)
    if (pieces.length > 0) stretches.push({ figure, pieces, closing })
  }
  let at = from
  for (const [index, figure] of figureRanges(line).entries()) {
    if (figure.from < from || figure.to > to) continue
    add(at, figure.from, null)
    const [closing = ''] = /^[,.;:)!?]+/.exec(line.slice(figure.to, to)) ?? []
    add(figure.from, figure.to, index, closing)
    at = figure.to + closing.length
  }
  add(at, to, null)
  return stretches
}

const NUMBER = /(?:\d{4}-\d{2}-\d{2}|\d+(?:[.,:]\d+)*)/.source
const UNIT = '(?:[µmkcn]?(?:g|s|m[²³]?|l|L|V|W|Hz|Pa|mol)|[kMG]?B|h|min|bar|dB|ppm)'
const SYMBOL = `(?:%|‰|°[CF]?|${UNIT}(?:[./·]${UNIT})*(?![\\p{L}\\p{N}]))`
const TIME = /(?:working |business )?(?:second|minute|hour|day|night|week|month|quarter|year)s?(?![\p{L}\p{N}])/u.source
/**
 * The pattern of a figure's beginning. No figure begins in the middle of a name, such as "run47" or "C.4". A comparison
 * sign may follow a letter: "p<0.05".
 */
const BEGIN = '(?:(?<![\\p{L}\\p{N}.,])[-−+±] ?|[~≈<>≤≥] ?|(?<![\\p{L}\\p{N}.,]))'
const FIGURE = new RegExp(`${BEGIN}[$€£¥]?${NUMBER}(?:[\\s-]?${SYMBOL}|[\\s-]${TIME})?`, 'gu')

/**
 * Returns true for a whole number that names something: behind or before a word that such a number belongs to, or the
 * number of a clause at the beginning of a line.
 */
function isName(line: string, from: number, figure: string): boolean {
  if (!/^\d+(?:\.\d+)*$/.test(figure)) return false
  const after = line.slice(from + figure.length)
  if (from === 0 && /^[.)]?\s+\p{L}/u.test(after)) return true
  return NUMBERED.test(line.slice(0, from)) || MONTH.test(after)
}

/** Words before a number that names something, in English and Spanish. */
const NUMBERED =
  /(?<!\p{L})(?:item|note|clause|run|box|valve|room|page|annex|table|condition|figure|punto|nota|cláusula|caja|válvula|anexo|condición|figura)\s$/iu
const MONTH =
  /^\s(?:January|February|March|April|May|June|July|August|September|October|November|December|de [a-z]+(?:bre|ro|zo|il|yo|io|to))(?!\p{L})/u
