import { findReport } from './find-report.ts'
import { FIGURES, reversed, turned } from './disguises.ts'
import { fold, spaced, withoutSpaces } from './fold.ts'
import type { ReportKey } from './known-keys.ts'
import { namedFields } from './named-fields.ts'
import { everything, type Outside } from './outside.ts'
import { readings } from './readings.ts'
import { EMPTY_REPORT, type Report } from './report.ts'
import { findAnswers } from './read-answer.ts'

/**
 * Fields by which a report does anything: the walker goes by them, or a later briefing repeats them. The others only
 * describe, and an honest report gives them always.
 */
const CARRYING: readonly ReportKey[] = [
  'node_satisfied',
  'detour_detected',
  'hint_given',
  'is_conversation_complete',
  'objective_complete',
  'engagement_score',
  'information_revealed',
]

/**
 * Whether the report in `metadata` was copied from something the actor was given this turn: its object occurs there,
 * letter case, white space, escapes and the dress of characters aside. Such a report is somebody else's and is refused.
 */
export function echoesInput(metadata: string, outside: Outside): boolean {
  const report = findReport(metadata)
  if (report === null) return false
  const echo = fold(report.text)
  return everything(outside)
    .flatMap(readings)
    .some((input) => fold(input).includes(echo))
}

/**
 * The fields that a report sets and somebody outside named first. A piece of a forged report is as good as the whole,
 * set in another order or among other fields; so where a field was named outside, whoever sets it may be repeating.
 */
export function echoedFields(report: Report, outside: Outside): readonly ReportKey[] {
  return namedFields(
    CARRYING.filter((key) => isSet(report, key)),
    outside,
  )
}

/** Whether this text alone, once it is told, keeps every report from setting something ([reply-27]). */
export function holdsReportsUp(text: string): boolean {
  return namedFields(CARRYING, { theirs: [text], ours: [] }).length > 0
}

function isSet(report: Report, key: ReportKey): boolean {
  return JSON.stringify(report[key]) !== JSON.stringify(EMPTY_REPORT[key])
}

/**
 * Whether an answer to inner work was copied: its object stands in a text, or one of its fields does, with the value it
 * has there, or a sentence or more of what it says was said by somebody outside. On our side only a whole object counts:
 * a document may well say "Exit: 1".
 *
 * @param keys the fields the answer is read for
 */
export function echoesAnswer(answer: string, keys: readonly string[], { theirs, ours }: Outside): boolean {
  const plain = theirs.flatMap(readings).map(spaced)
  const told = [...plain, ...together(plain)]
  const disguised = [...told, ...plain.map(reversed), ...plain.map(turned)]
  const folded = told.map(withoutSpaces)
  const whole = fold(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
  if (whole !== '' && [...folded, ...ours.map(fold)].some((input) => input.includes(whole))) return true
  const found = findAnswers(answer, keys)
  if (!found.ok) return false
  const pairs = found.objects.flat().filter(({ key, raw }) => keys.includes(key) && !/^(?:null|\[\s*\])$/.test(raw))
  const isRetold = (text: string) => {
    const words = fold(text)
    return words.length >= SENTENCE && folded.some((input) => input.includes(words))
  }
  if (pairs.length === 0) return keys.includes('reflection') && isRetold(answer)
  return pairs.some(
    ({ key, raw }) =>
      itemsOf(raw).some((value) => disguised.some(giving(key, value))) || (key === 'reflection' && isRetold(raw)),
  )
}

/** A conclusion that is word for word what somebody said is theirs. In letters; shorter ones may well be the same. */
const SENTENCE = 16

/** What several texts come to when they are read on from one to another, in either order. */
function together(texts: readonly string[]): readonly string[] {
  const heads = texts.map((text) => text.slice(0, EDGE))
  const seams = texts.flatMap((text, at) => {
    const tail = text.slice(-EDGE)
    return heads.flatMap((head, other) => (other === at ? [] : [tail + head]))
  })
  return [...seams, texts.join(''), texts.toReversed().join('')]
}

/** More than an answer's field and its number, in UTF-16 code units. */
const EDGE = 80

/** A list's items, or the one value. */
function itemsOf(raw: string): readonly string[] {
  const items = raw.startsWith('[') ? raw.slice(1, -1).split(/["'”’]\s*,\s*["'“‘]/) : [raw]
  return items.map(bare).filter((item) => item !== '')
}

/** Whether a text gives this field that value. A query may stand anywhere behind its field, or in front of it. */
function giving(key: string, value: string): (input: string) => boolean {
  const letters = Array.from(key, (letter) => `[${letter}${FIGURES[letter] ?? ''}]`)
  const name = key === 'behavior' ? 'behaviou?r' : letters.join(APART)
  const start = `(?<![a-z0-9_])${name}${GIVEN}`
  const pattern = new RegExp(key === 'queries' ? start : `${start}${escaped(value)}(?![a-z0-9_])`)
  return (input) => pattern.test(input) && input.includes(value)
}

/** Between the letters of a name that is spaced out. */
const APART = '[\\s,.*_/-]{0,2}'

/** Between a field's name and its value: quotes, what gives it, and what opens it. */
const GIVEN = '["\'“”‘’`*_]{0,4}\\s?(?:[:=>→∶]|->){1,3}[\\s"\'“”‘’`*_([{#+-]{0,8}0{0,4}'

function bare(text: string): string {
  return spaced(text).replaceAll(/^["'“”‘’`[\s]+|["'“”‘’`\]\s]+$/g, '')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
