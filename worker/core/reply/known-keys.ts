import type { Pattern } from './literals.ts'
import { EMPTY_REPORT } from './report.ts'
import type { Report } from './report.ts'

export type ReportKey = keyof Report

/** The names of a report's fields (S3-41). */
export const REPORT_KEYS = Object.keys(EMPTY_REPORT) as readonly ReportKey[]

/** What may stand between a field's name and its colon, in whatever quoting a model comes up with. */
const GAP = '["\'“”‘’`*_\\\\\\s]{0,8}'
const KEY_PAIR = new RegExp(`(?:${REPORT_KEYS.join('|')})${GAP}[:=：]`, 'gi')
const GAP_ONLY = new RegExp(`^${GAP}$`)
const GAP_AND_COLON = new RegExp(`^${GAP}[:=：]$`)
const OPENERS = /^["'“”‘’`{\\]{0,4}/
const INITIALS = REPORT_KEYS.map((key) => key.charAt(0)).join('')
const FIRST = new Set(`"'“”‘’\`{\\${INITIALS}${INITIALS.toUpperCase()}`)

const KEY_PREFIXES = new Set(REPORT_KEYS.flatMap((key) => Array.from(key).map((_, end) => key.slice(0, end + 1))))

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
export const KEY_PAIRS: Pattern = {
  begins: (point) => FIRST.has(point),
  progress(held) {
    const rest = held.slice(OPENERS.exec(held)?.[0].length ?? 0).toLowerCase()
    if (rest === '' || KEY_PREFIXES.has(rest)) return 'partial'
    const key = REPORT_KEYS.find((name) => rest.startsWith(name))
    if (key === undefined) return 'none'
    const gap = rest.slice(key.length)
    if (GAP_AND_COLON.test(gap)) return 'whole'
    return GAP_ONLY.test(gap) ? 'partial' : 'none'
  },
}
