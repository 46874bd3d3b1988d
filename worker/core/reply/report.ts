import type { StreamPattern } from './stage.ts'

/**
 * What an actor returns after the separator (S3-41). The names are the contract's own, since the same object is
 * read from and written to JSON. Only `node_satisfied`, `detour_detected` and `engagement_score` are ever used by
 * the walker; the rest is telemetry.
 */
export interface Report {
  readonly emotional_state: string
  readonly information_revealed: readonly string[]
  readonly internal_thought: string
  readonly objective_complete: string | null
  readonly is_conversation_complete: boolean
  readonly hint_given: boolean
  readonly agreement_signal: string
  /** Whole number from -2 to 2. */
  readonly engagement_score: number
  readonly node_satisfied: boolean
  readonly detour_detected: boolean
}

/**
 * How much work it took to read a report; the worse, the less the model kept to its contract. `echoed`: it was copied
 * from what the model was given, and is refused.
 */
export type ReportQuality = 'clean' | 'coerced' | 'repaired' | 'salvaged' | 'missing' | 'echoed'

/** What is assumed when nothing can be read: no progress, no opinion. */
export const EMPTY_REPORT: Report = {
  emotional_state: '',
  information_revealed: [],
  internal_thought: '',
  objective_complete: null,
  is_conversation_complete: false,
  hint_given: false,
  agreement_signal: 'neutral',
  engagement_score: 0,
  node_satisfied: false,
  detour_detected: false,
}

export type ReportKey = keyof Report

/** The names of a report's fields (S3-41). */
export const REPORT_KEYS = Object.keys(EMPTY_REPORT) as readonly ReportKey[]

/** What may stand between a field's name and its colon, in whatever quoting a model comes up with. */
const GAP = '["\'“”‘’`*_\\\\\\s]{0,8}'
/** Each name as it is, with hyphens, and in one word (`nodeSatisfied`). */
const SPELLINGS = REPORT_KEYS.flatMap((key) => ['_', '-', ''].map((joint) => key.replaceAll('_', joint)))
const KEY_PAIR = new RegExp(`(?:${SPELLINGS.join('|')})${GAP}[:=：]`, 'gi')
const GAP_ONLY = new RegExp(`^${GAP}$`)
const GAP_AND_COLON = new RegExp(`^${GAP}[:=：]$`)
const OPENERS = /^["'“”‘’`{\\]{0,4}/
const INITIALS = REPORT_KEYS.map((key) => key.charAt(0)).join('')
const FIRST = new Set(`"'“”‘’\`{\\${INITIALS}${INITIALS.toUpperCase()}`)

const KEY_PREFIXES = new Set(SPELLINGS.flatMap((key) => Array.from(key).map((_, end) => key.slice(0, end + 1))))

export function isReportKey(text: string): text is ReportKey {
  return Object.hasOwn(EMPTY_REPORT, text)
}

/** How many times a field of a report is written out in `text`: its name and a colon, quoted in any way or not at all. */
export function countKeyPairs(text: string): number {
  return text.match(KEY_PAIR)?.length ?? 0
}

/**
 * A field's name and its colon, with what opens it in front, as a pattern of a stream. Nothing longer than 40 characters
 * is ever on the way.
 */
export const KEY_PAIRS: StreamPattern = {
  begins: (point) => FIRST.has(point),
  progress(held) {
    const rest = held.slice(OPENERS.exec(held)?.[0].length ?? 0).toLowerCase()
    if (rest === '' || KEY_PREFIXES.has(rest)) return 'partial'
    const key = SPELLINGS.find((name) => rest.startsWith(name))
    if (key === undefined) return 'none'
    const gap = rest.slice(key.length)
    if (GAP_AND_COLON.test(gap)) return 'whole'
    return GAP_ONLY.test(gap) ? 'partial' : 'none'
  },
}

/** What may stand where a name has its `_`: that, a hyphen, an emphasis, an escape, or nothing at all. */
const JOINT = '[_*\\\\-]{0,3}'
const NAME = new RegExp(REPORT_KEYS.map((key) => key.split('_').join(JOINT)).join('|'), 'gi')
const WHOLE_NAME = new RegExp(`^(?:${NAME.source})$`, 'i')
const JOINED = REPORT_KEYS.map((key) => key.replaceAll('_', ''))
const MARKS = /[_*\\-]/g
/** Two joints' worth. */
const MARKS_HELD = 6

/** A field's name without a colon, however its words are joined, as a pattern of a stream. */
export const KEY_NAMES: StreamPattern = {
  begins: (point) => INITIALS.includes(point.toLowerCase()),
  progress(held) {
    if (WHOLE_NAME.test(held)) return 'whole'
    const letters = held.toLowerCase().replaceAll(MARKS, '')
    const isOnTheWay = held.length - letters.length <= MARKS_HELD && JOINED.some((name) => name.startsWith(letters))
    return isOnTheWay ? 'partial' : 'none'
  },
}

/** The text with the words of every field's name set apart, so that it names none. */
export function withoutKeyNames(text: string): string {
  return text.replaceAll(NAME, keyInWords)
}

/** A field's name, however it was spelt, in words. */
export function keyInWords(name: string): string {
  const letters = name.toLowerCase().replaceAll(MARKS, '')
  return (REPORT_KEYS.find((key) => key.replaceAll('_', '') === letters) ?? name).replaceAll('_', ' ')
}
