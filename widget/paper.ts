import { typeset } from './clean.ts'

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

/** Returns a line as it is printed. No row ends before a figure or between a figure and its unit. */
export function boundLine(line: string): string {
  return typeset(line).replace(/(\p{L}) (?=[-−+$€£]?\d)|(\d) (?=\p{L}{1,3}\/|\p{L}{1,2}(?!\p{L}))/gu, '$1$2\u00a0')
}

/** Splits a line into the parts that the look shows separately. */
export function documentRowOf(line: string, look: DocumentLook): DocumentRow {
  const [marked = '', mark = ''] = MARKS[look]?.exec(line) ?? []
  const rest = line.slice(marked.length)
  const [, label = rest, value = ''] = (ROWS.test(look) && /^([^:]{2,60}?):\s+((?:(?!\. ).){1,60})$/.exec(rest)) || []
  const from = marked.length
  const to = line.length
  return {
    mark: mark ? { from: 0, to: mark.length } : null,
    label: { from, to: from + label.length },
    value: value ? { from: to - value.length, to } : null,
  }
}

/** The looks whose lines are rows of a label and a value. */
const ROWS = /report|log|survey/

const MARKS: Partial<Record<DocumentLook, RegExp>> = {
  clause: /^((?:§\s?|Art\.\s?)?(?:\p{Lu}\.?)?\d+(?:\.\d+)*[a-z]?[.)]?)\s+(?=\p{L})/u,
  log: /^((?:\p{L}{2,3}\.?\s)?\d{1,2}:\d{2}(?::\d{2})?)\s+(?=\S)/u,
  minutes: /^(\d+(?:\.\d+)*[.)]?)\s+(?=\p{L})/u,
}
