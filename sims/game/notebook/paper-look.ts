/** How a document is dressed: as its trade would. */
export type Look = 'report' | 'clause' | 'log' | 'survey' | 'minutes' | 'letter'

/** A line of a document. `value` is what stands at the other end of its row, such as the figure of a report. */
export interface Row {
  /** The number of a clause, or the time of a log's entry. */
  readonly mark: Part | null
  readonly label: Part
  readonly value: Part | null
}

/** A part of a line, from where to where. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** The look of a kind that an author named; a report's where the kind says nothing. */
export function lookOf(kind: string): Look {
  return LOOKS.find(([, names]) => names.test(kind))?.[0] ?? 'report'
}

const LOOKS: readonly (readonly [Look, RegExp])[] = [
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

/** The parts of a line, in the look's own way. */
export function rowOf(line: string, look: Look): Row {
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

/** Looks whose lines are rows of a name and what it comes to. */
const ROWS: ReadonlySet<Look> = new Set<Look>(['report', 'log', 'survey'])

const MARKS: Partial<Record<Look, RegExp>> = {
  clause: /^((?:§\s?|Art\.\s?)?(?:\p{Lu}\.?)?\d+(?:\.\d+)*[a-z]?[.)]?)\s+\p{L}/u,
  log: /^((?:\p{L}{2,3}\.? )?\d{1,2}:\d{2}(?::\d{2})?)\s+\S/u,
  minutes: /^(\d+(?:\.\d+)*[.)]?)\s+\p{L}/u,
}
