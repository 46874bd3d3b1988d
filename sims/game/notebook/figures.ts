import { hitsIn, piecesOf } from './search.ts'
import type { Piece, Range } from './search.ts'

/** A stretch of a line: a figure, numbered from 0 along the line, or the words between two. */
export interface Stretch {
  readonly figure: number | null
  readonly pieces: readonly Piece[]
}

/**
 * Where the figures of a line stand: a number with its sign, its currency and its unit. The number of a clause or of a
 * test run is a name and no figure: "C.4", "run 47" at its beginning, "4.2 Exit".
 */
export function figuresIn(line: string): readonly Range[] {
  const found: Range[] = []
  for (const match of line.matchAll(FIGURE)) {
    const from = match.index
    if (isName(line, from, match[0])) continue
    found.push({ from, to: from + match[0].length })
  }
  return found
}

/** A line, or the part of it from `from` to `to`, with its figures apart and the hits of a search marked in both. */
export function stretchesOf(line: string, words: readonly string[], from = 0, to = line.length): readonly Stretch[] {
  const hits = hitsIn(words, line)
  const stretches: Stretch[] = []
  const add = (begin: number, end: number, figure: number | null) => {
    const pieces = piecesOf(line, hits, begin, end)
    if (pieces.length > 0) stretches.push({ figure, pieces })
  }
  let at = from
  for (const [index, figure] of figuresIn(line).entries()) {
    if (figure.from < from || figure.to > to) continue
    add(at, figure.from, null)
    add(figure.from, figure.to, index)
    at = figure.to
  }
  add(at, to, null)
  return stretches
}

const NUMBER = /(?:\d{4}-\d{2}-\d{2}|\d+(?:[.,:]\d+)*)/.source
const UNIT = '(?:[µmkcn]?(?:g|s|m[²³]?|l|L|V|W|Hz|Pa|mol)|[kMG]?B|h|min|bar|dB|ppm)'
const SYMBOL = `(?:%|‰|°[CF]?|${UNIT}(?:[./·]${UNIT})*(?![\\p{L}\\p{N}]))`
const TIME = /(?:working |business )?(?:second|minute|hour|day|night|week|month|quarter|year)s?(?![\p{L}\p{N}])/u.source
/** No figure begins in the middle of a name, such as "run47" or "C.4"; a comparison may follow its letter: "p<0.05". */
const BEGIN = '(?:(?<![\\p{L}\\p{N}.,])[-−+±] ?|[~≈<>≤≥] ?|(?<![\\p{L}\\p{N}.,]))'
const FIGURE = new RegExp(`${BEGIN}[$€£¥]?${NUMBER}(?:[\\s-]?${SYMBOL}|[\\s-]${TIME})?`, 'gu')

/** The number that begins a clause, alone before its words. */
function isName(line: string, from: number, figure: string): boolean {
  return from === 0 && /^\d+(?:\.\d+)*$/.test(figure) && /^[.)]?\s+\p{L}/u.test(line.slice(figure.length))
}
