import type { Finding } from '../../finding.ts'
import { found } from './found.ts'
import { bindSource } from './sources.ts'
import { atState, type Subject } from './subject.ts'
import { contentTexts, type PlacedText, spokenTexts } from './texts.ts'

/**
 * A number and its unit: `23.4%` has the value 23.4 and the unit `%`, `12 weeks` has 12 and `week`. A bare number has
 * no unit.
 */
interface Figure {
  readonly value: number
  readonly unit: string
}

/**
 * Reports figures that contradict the record (G031). The record is `content.document`, or else the colleague's
 * document. Without either document there are no findings.
 */
export function lintFigures(subject: Subject): readonly Finding[] {
  const record = recordOf(subject)
  if (record === null) return []
  const written = record.flatMap(figuresIn)
  const content = new Set(contentTexts(subject.document).map(({ at }) => at))
  return [...spokenTexts(subject.document), ...boundTexts(subject)].flatMap(({ at, text }) =>
    figuresIn(text).flatMap((stated) => {
      // The spoken lines of a fork may round a figure. Lines of content may not.
      const isSaid = !content.has(at) && at.includes('/pivot/')
      const other = conflicting(stated, written, isSaid)
      if (other === null) return []
      return found(
        'G031',
        at,
        `States ${show(stated)} where the document has ${show(other)}. The document wins: change this.`,
      )
    }),
  )
}

function recordOf({ document, npc }: Subject): readonly string[] | null {
  if (Object.hasOwn(document.content, 'document')) return document.content['document'] ?? null
  return npc?.document ? [npc.document.title, ...npc.document.lines] : null
}

/**
 * Returns the colleague's lines that content sources name. The scenario's parser has already checked these lines
 * against the colleague's own document.
 */
function boundTexts(subject: Subject): readonly PlacedText[] {
  const own = new Set(Object.values(subject.document.content).flat())
  return subject.document.states.flatMap((state) => {
    if (state.type !== 'action' || state.contentSource === null) return []
    const lines = bindSource(subject, state.contentSource)
    if (lines === 'unknown' || lines === 'unread') return []
    const at = atState(state, 'content_source')
    return lines.filter((line) => !own.has(line)).map((text) => ({ at, text, isPlain: true }))
  })
}

/**
 * Returns the record's figure that a stated figure contradicts: the nearest figure with the same unit, unless the
 * record has an equal figure. A bare number contradicts only a figure that differs by less than 1.
 */
function conflicting(stated: Figure, written: readonly Figure[], mayRound: boolean): Figure | null {
  const comparable = written.filter(({ unit }) => unit === stated.unit)
  const nearest = comparable.toSorted((a, b) => Math.abs(a.value - stated.value) - Math.abs(b.value - stated.value))[0]
  if (!nearest || comparable.some(({ value }) => isSame(stated.value, value, mayRound))) return null
  return stated.unit !== '' || Math.abs(nearest.value - stated.value) < 1 ? nearest : null
}

function isSame(stated: number, written: number, mayRound: boolean): boolean {
  return stated === written || (mayRound && [Math.round(written), Math.floor(written)].includes(stated))
}

const FIGURE =
  /(?<![\p{L}\d.])([$€£])?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*(%|percent\b|per cent\b|x\b|times\b|\p{L}{3,})?/giu

function figuresIn(text: string): readonly Figure[] {
  return [...text.matchAll(FIGURE)].map(([, currency, whole = '', part = '', after = '']) => ({
    value: Number(whole.replaceAll(',', '') + part),
    unit: currency ?? unitOf(after.toLowerCase()),
  }))
}

function unitOf(word: string): string {
  if (/^(?:%|percent|per cent)$/.test(word)) return '%'
  if (word === 'x' || word === 'times') return 'x'
  return NO_UNIT.has(word) ? '' : word.replace(/s$/, '')
}

/** Words after a number that are not its unit. */
const NO_UNIT = new Set(
  'and are against before but for from have into not one only other over per than that the their them then these this those was were when which who will with'.split(
    ' ',
  ),
)

function show({ value, unit }: Figure): string {
  if (unit === '') return String(value)
  return /^[$€£]$/.test(unit) ? `${unit}${value}` : unit === '%' ? `${value}%` : `${value} ${unit}`
}
