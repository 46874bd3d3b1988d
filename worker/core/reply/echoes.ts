import { FIGURES, readings, backwards, rot13, withLetters, withoutTags } from './disguises.ts'
import { findReport } from './find-report.ts'
import { fold, spaced, withoutSpaces } from './fold.ts'
import { findAnswers } from './read-answer.ts'
import { EMPTY_REPORT, REPORT_KEYS, type Report, type ReportKey } from './report.ts'

/** All that an actor was given this turn and that it may repeat. Nothing copied from there counts as its own. */
export interface ActorInput {
  /** Written by somebody outside: the learner's messages, the page, what is remembered of them. */
  readonly theirs: readonly string[]
  /** Written on the colleague's side: earlier replies, points made, notes, documents, names. */
  readonly ours: readonly string[]
}

export const NO_ACTOR_INPUT: ActorInput = { theirs: [], ours: [] }

/** Every text of them. */
export function everything({ theirs, ours }: ActorInput): readonly string[] {
  return [...theirs, ...ours]
}

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
export function echoesInput(metadata: string, outside: ActorInput): boolean {
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
export function echoedFields(report: Report, outside: ActorInput): readonly ReportKey[] {
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
export function echoesAnswer(answer: string, keys: readonly string[], { theirs, ours }: ActorInput): boolean {
  const plain = theirs.flatMap(readings).map(spaced)
  const told = [...plain, ...together(plain)]
  const disguised = [...told, ...plain.map(backwards), ...plain.map(rot13)]
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

/** A field's name and the ways in which it is written. */
interface Name {
  /** Its letters, and the same turned around and in rot13: nobody writes either of them by chance. */
  readonly letters: string
  readonly disguised: readonly string[]
  /** Its letters with anything between them but letters. */
  readonly span: RegExp
  /** Its words with a value that sets it. */
  readonly given: RegExp
}

/**
 * Which of these fields somebody named: as code writes a name, with any mark for the `_` or none, spaced out, dressed up,
 * turned around, in base64; or pieced together from several texts. Words of a sentence that happen to be the same name none,
 * unless somebody outside goes on to say what the field is to be.
 */
function namedFields(keys: readonly ReportKey[], { theirs, ours }: ActorInput): readonly ReportKey[] {
  if (keys.length === 0) return []
  const told = theirs.flatMap(readings).map(plain)
  const texts = [...told, ...ours.flatMap(readings).map(plain), ...acrossEscapes([...theirs, ...ours]).map(plain)]
  const spelt = [...texts, ...texts.flatMap((text) => [withLetters(text), withoutTags(text)])]
    .filter((text) => text !== null)
    .map((text) => ({ text, only: text.replaceAll(/[^a-z]+/g, '') }))
  const pieces = texts.map((text) => withoutSpaces(text).replaceAll('-', '_'))
  return keys.filter((key) => {
    const name = NAMES[key]
    return (
      spelt.some((each) => isSpelt(name, each)) ||
      told.some((text) => name.given.test(text)) ||
      isPiecedTogether(key, pieces)
    )
  })
}

/** @param only the letters of the text. */
function isSpelt({ letters, disguised, span }: Name, { text, only }: { text: string; only: string }): boolean {
  if (disguised.some((other) => only.includes(other))) return true
  if (!only.includes(letters)) return false
  return Array.from(text.matchAll(span)).some(({ 0: found, index }) =>
    found === letters ? isAlone(text, index, index + found.length) : !isProse(found),
  )
}

/** Words of a sentence: all that divides them has white space in it, and no low line. */
function isProse(words: string): boolean {
  const gaps = words.split(/[a-z]+/).slice(1, -1)
  return gaps.every((gap) => /\s/.test(gap) && !gap.includes('_'))
}

function isAlone(text: string, from: number, to: number): boolean {
  return !/[a-z]/.test(text.charAt(from - 1) + text.charAt(to))
}

/** Whether the name can be read on from the end of one text, through whole ones, to the beginning of another. */
function isPiecedTogether(key: ReportKey, texts: readonly string[]): boolean {
  const reached = new Set<number>()
  for (let at = 1; at < key.length; at += 1) if (texts.some((text) => text.endsWith(key.slice(0, at)))) reached.add(at)
  // A set hands out what is added to it on the way.
  for (const at of reached)
    for (const text of texts) if (text !== '' && key.startsWith(text, at)) reached.add(at + text.length)
  return [...reached].some((at) => texts.some((text) => text.startsWith(key.slice(at))))
}

/** Texts that end inside an escape, each with the beginning of every other: what it stands for is told by both. */
function acrossEscapes(texts: readonly string[]): readonly string[] {
  const cut = texts.filter((text) => CUT_ESCAPE.test(text))
  return cut.flatMap((text) =>
    texts.map((other) => (other === text ? '' : text.slice(-SEAM) + other.trimStart().slice(0, SEAM))),
  )
}

const CUT_ESCAPE = /\\u?[0-9a-f]{0,3}\s*$/i
/** Longer than any name with each of its letters escaped twice, in UTF-16 code units. */
const SEAM = 240

/** What is compared: without Markdown's `_so_`, which makes no name of the words it stands around. */
function plain(text: string): string {
  return spaced(text).replaceAll(/(?<![a-z0-9_])_(?=[a-z0-9])([^_]{1,60})(?<=[a-z0-9])_(?![a-z0-9_])/g, '$1')
}

function nameOf(key: ReportKey): Name {
  const words = key.split('_')
  const letters = words.join('')
  const value =
    key === 'engagement_score' ? '[+-]?[0-2](?![\\d.,%/]|\\s(?:of|out|percent)\\b)' : '(?:true|yes)(?![a-z])'
  return {
    letters,
    disguised: [backwards(letters), rot13(letters)],
    span: new RegExp(Array.from(letters).join('[^a-z]*'), 'g'),
    given: new RegExp(
      `(?<![a-z])${words.join('\\s')}[\\s"'“”‘’\`*)\\]]{0,6}(?:[:=→>]|\\bto\\b)[\\s"'“”‘’\`*(\\[>]{0,6}${value}`,
    ),
  }
}

const NAMES = Object.fromEntries(REPORT_KEYS.map((key) => [key, nameOf(key)])) as Readonly<Record<ReportKey, Name>>
