import { hitsIn, piecesOf } from './search.ts'
import type { TextPiece, Range } from './search.ts'

/** A part of a document's line: a figure, numbered from 0 within the line, or the words between two figures. */
export interface Stretch {
  readonly figure: number | null
  readonly pieces: readonly TextPiece[]
}

/**
 * Finds the figures of a line: numbers with their sign, currency and unit. The number of a clause or of a test run is a
 * name and not a figure: "C.4", "run 47" at the beginning of a line, "4.2 Exit".
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
  const add = (begin: number, end: number, figure: number | null) => {
    const pieces = piecesOf(line, hits, begin, end)
    if (pieces.length > 0) stretches.push({ figure, pieces })
  }
  let at = from
  for (const [index, figure] of figureRanges(line).entries()) {
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
/**
 * The pattern of a figure's beginning. No figure begins in the middle of a name, such as "run47" or "C.4". A comparison
 * sign may follow a letter: "p<0.05".
 */
const BEGIN = '(?:(?<![\\p{L}\\p{N}.,])[-−+±] ?|[~≈<>≤≥] ?|(?<![\\p{L}\\p{N}.,]))'
const FIGURE = new RegExp(`${BEGIN}[$€£¥]?${NUMBER}(?:[\\s-]?${SYMBOL}|[\\s-]${TIME})?`, 'gu')

/** Returns true for the number of a clause, which is at the start of the line before the clause's words. */
function isName(line: string, from: number, figure: string): boolean {
  return from === 0 && /^\d+(?:\.\d+)*$/.test(figure) && /^[.)]?\s+\p{L}/u.test(line.slice(figure.length))
}

/** How a document looks: like a real paper of its kind. */
export type DocumentLook = 'report' | 'clause' | 'log' | 'survey' | 'minutes' | 'letter'

/** A line of a document. `value` is shown at the end of the row, for example the figure of a report. */
export interface DocumentRow {
  /** The number of a clause, or the time of a log entry. */
  readonly mark: LinePart | null
  readonly label: LinePart
  readonly value: LinePart | null
}

/** The position of a part within a line, in UTF-16 code units. */
export interface LinePart {
  readonly from: number
  readonly to: number
}

/** Returns the look for the document's kind, which the author named. An unknown kind looks like a report. */
export function lookOf(kind: string): DocumentLook {
  return LOOKS.find(([, names]) => names.test(kind))?.[0] ?? 'report'
}

const LOOKS: readonly (readonly [DocumentLook, RegExp])[] = [
  ['report', /report|analysis|results?|sheet|table/i],
  [
    'clause',
    /clause|condition|licen[cs]e|contract|agreement|policy|terms|order form|regulation|statute|guideline|rules|protocol\b/i,
  ],
  ['log', /\blogs?\b|logbook|trace|output|telemetry|incident|timeline|shift|record/i],
  ['survey', /survey|questionnaire|poll|interviews?|feedback|ratings?/i],
  ['minutes', /minutes|agenda|notes?\b|transcript|memo|briefing/i],
  ['letter', /letter|mail|message|statement|correspondence/i],
]

/** Splits a line into the parts that the look shows separately. */
export function documentRowOf(line: string, look: DocumentLook): DocumentRow {
  const mark = MARKS[look]?.exec(line)?.[1] ?? ''
  const begin = line.length - line.slice(mark.length).trimStart().length
  const marked = mark === '' ? null : { from: 0, to: mark.length }
  const [before = '', label = '', gap = '', value = ''] =
    (ROWS.has(look) && /^([^:]{2,60}?)(:\s+)(.{1,44})$/.exec(line.slice(begin))) || []
  if (before === '') return { mark: marked, label: { from: begin, to: line.length }, value: null }
  const from = begin + label.length + gap.length
  return {
    mark: marked,
    label: { from: begin, to: begin + label.length },
    value: { from, to: from + value.length },
  }
}

/** The looks whose lines are rows of a label and a value. */
const ROWS: ReadonlySet<DocumentLook> = new Set<DocumentLook>(['report', 'log', 'survey'])

const MARKS: Partial<Record<DocumentLook, RegExp>> = {
  clause: /^((?:§\s?|Art\.\s?)?(?:\p{Lu}\.?)?\d+(?:\.\d+)*[a-z]?[.)]?)\s+\p{L}/u,
  log: /^((?:\p{L}{2,3}\.? )?\d{1,2}:\d{2}(?::\d{2})?)\s+\S/u,
  minutes: /^(\d+(?:\.\d+)*[.)]?)\s+\p{L}/u,
}
