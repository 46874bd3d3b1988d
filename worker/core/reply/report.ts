import type { StreamPattern } from './stage.ts'

/**
 * The report that an actor writes after the separator. The field names are those of the actor's JSON. The walker uses
 * `node_satisfied`, `detour_detected`, `engagement_score` and the last five fields. Later briefings repeat
 * `information_revealed`, which has points in words or the ids of facts. The other fields have no effect on the walk,
 * except in the count-based engine (`walk/legacy.ts`).
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
  /** True if the reply also did what the next node is for. */
  readonly went_on: boolean
  /** The id of the card that the learner's words mean, or `"own"` for an answer that no card has. */
  readonly pivot_choice: string | null
  readonly learner_leaving: boolean
  /** True if the reply hands the colleague's document over. */
  readonly document_given: boolean
  /**
   * True if a learner who leaves before the gate has taken the deciding fact in already. Briefings never ask for it: only
   * the rehearsal actor, which judges by the author's words, reports it.
   */
  readonly fact_registered: boolean
}

/**
 * How much correction a report needed, from least to most. `echoed`: the model copied the report from its input, so the
 * report is refused.
 */
export type ReportQuality = 'clean' | 'coerced' | 'repaired' | 'salvaged' | 'missing' | 'echoed'

/** Tells whether the walker takes nothing from a report of this quality. */
export function isUnread(quality: ReportQuality): boolean {
  return quality === 'missing' || quality === 'echoed'
}

/** The report that takes the place of a missing or refused report: every field has its neutral value. */
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
  went_on: false,
  pivot_choice: null,
  learner_leaving: false,
  document_given: false,
  fact_registered: false,
}

/** The value of `pivot_choice` for an answer that no card has. */
export const OWN_ANSWER = 'own'

export type ReportKey = keyof Report

/** The fields that a briefing requests only in turns in which they can apply. A report without them is complete. */
export const OPTIONAL_KEYS: ReadonlySet<ReportKey> = new Set([
  'went_on',
  'pivot_choice',
  'learner_leaving',
  'document_given',
  'fact_registered',
])

export const REPORT_KEYS = Object.keys(EMPTY_REPORT) as readonly ReportKey[]

/**
 * Matches the characters allowed between a field's name and its colon: quotes, emphasis, backslashes and white space.
 */
const GAP = '["\'“”‘’`*_\\\\\\s]{0,8}'
/** The spellings of each field's name: with `_`, with hyphens, and in one word (`nodeSatisfied`). */
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

/** Counts the fields of a report in `text`: each is a name and a colon, with or without quotes. */
export function countKeyPairs(text: string): number {
  return text.match(KEY_PAIR)?.length ?? 0
}

/**
 * Matches a field's name and its colon, with the quote or brace in front, in streamed text. While a match is possible,
 * at most 40 characters are held back.
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

/**
 * Matches what may stand in place of a name's `_`: up to three underscores, hyphens, asterisks or backslashes, or
 * nothing.
 */
const JOINT = '[_*\\\\-]{0,3}'
const NAME = new RegExp(REPORT_KEYS.map((key) => key.split('_').join(JOINT)).join('|'), 'gi')
const WHOLE_NAME = new RegExp(`^(?:${NAME.source})$`, 'i')
const JOINED = REPORT_KEYS.map((key) => key.replaceAll('_', ''))
const MARKS = /[_*\\-]/g
/**
 * The maximum number of characters in place of the `_` of one name. A name has at most two `_`, and `JOINT` allows
 * three characters in place of each.
 */
const MARKS_HELD = 6

/** Matches a field's name without a colon, however its words are joined, in streamed text. */
export const KEY_NAMES: StreamPattern = {
  begins: (point) => INITIALS.includes(point.toLowerCase()),
  progress(held) {
    if (WHOLE_NAME.test(held)) return 'whole'
    const letters = held.toLowerCase().replaceAll(MARKS, '')
    const isOnTheWay = held.length - letters.length <= MARKS_HELD && JOINED.some((name) => name.startsWith(letters))
    return isOnTheWay ? 'partial' : 'none'
  },
}

/** Separates the words of every field's name, so that the text names no field. */
export function withoutKeyNames(text: string): string {
  return text.replaceAll(NAME, keyInWords)
}

/** Returns a field's name as separate words, however it was spelt. */
export function keyInWords(name: string): string {
  const letters = name.toLowerCase().replaceAll(MARKS, '')
  return (REPORT_KEYS.find((key) => key.replaceAll('_', '') === letters) ?? name).replaceAll('_', ' ')
}
