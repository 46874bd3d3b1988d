import { FIGURES, readings, backwards, rot13, withLetters, withoutTags } from './disguises.ts'
import { findReport } from './find-report.ts'
import { fold, spaced, withoutSpaces } from './fold.ts'
import { findAnswers } from './read-answer.ts'
import { EMPTY_REPORT, REPORT_KEYS, type Report, type ReportKey } from './report.ts'

/**
 * The texts that an actor was given this turn and may repeat. A report that is copied from these texts does not count.
 */
export interface ActorInput {
  /** Texts from outside: the learner's messages, the page, memories about the learner. */
  readonly theirs: readonly string[]
  /** Texts of the colleague's side: earlier replies, points made, notes, documents, names. */
  readonly ours: readonly string[]
}

export const NO_ACTOR_INPUT: ActorInput = { theirs: [], ours: [] }

export function inputTexts({ theirs, ours }: ActorInput): readonly string[] {
  return [...theirs, ...ours]
}

/**
 * The fields of a report that an actor must not copy from its input: the flags (fields that are true or false), the
 * fields that a walker reads, and the fields that a later briefing repeats. The other fields only describe the reply.
 */
const CARRYING: readonly ReportKey[] = [
  'node_satisfied',
  'detour_detected',
  'hint_given',
  'is_conversation_complete',
  'objective_complete',
  'engagement_score',
  'information_revealed',
  'went_on',
  'pivot_choice',
  'learner_leaving',
  'document_given',
  'fact_registered',
]

/**
 * Tells whether the report in `metadata` is a copy: the report's JSON object occurs in one of the actor's input texts.
 * The comparison ignores letter case, white space, escapes and the style of characters. `readReply` refuses such a
 * report.
 */
export function echoesInput(metadata: string, outside: ActorInput): boolean {
  const report = findReport(metadata)
  if (report === null) return false
  const echo = fold(report.text)
  return inputTexts(outside)
    .flatMap(readings)
    .some((input) => fold(input).includes(echo))
}

/**
 * Returns the fields that a report sets (to a value other than that of `EMPTY_REPORT`) although the actor's input names
 * these fields. Somebody may put a forged report into the input, and the forged report need not be complete or in
 * order. So if the input names a field, a report that sets this field may be a copy.
 */
export function echoedFields(report: Report, outside: ActorInput): readonly ReportKey[] {
  return namedFields(
    CARRYING.filter((key) => isSet(report, key)),
    outside,
  )
}

/**
 * Tells whether a text names a field of a report. If such a text is part of an actor's input, `readReply` refuses every
 * report that sets this field ([reply-27]).
 */
export function holdsReportsUp(text: string): boolean {
  return namedFields(CARRYING, { theirs: [text], ours: [] }).length > 0
}

function isSet(report: Report, key: ReportKey): boolean {
  return JSON.stringify(report[key]) !== JSON.stringify(EMPTY_REPORT[key])
}

/**
 * Tells whether an actor's answer to a task was copied from its input. In three cases an answer counts as copied: the
 * answer's JSON object occurs in the input; a text in `theirs` contains one of the answer's fields with the same value;
 * or a text in `theirs` contains the answer's conclusion. In `ours` only the whole object counts, because a colleague's
 * document may well contain "Exit: 1".
 *
 * @param keys the fields that the caller reads from the answer
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

/**
 * The shortest conclusion, in letters, that counts as copied. A shorter conclusion may occur in the input by chance.
 */
const SENTENCE = 16

/**
 * Returns the texts joined into one, in order and in reverse order, and the end of each text joined to the beginning of
 * every other text. A field that is split over two texts is found in these joined texts.
 */
function together(texts: readonly string[]): readonly string[] {
  const heads = texts.map((text) => text.slice(0, EDGE))
  const seams = texts.flatMap((text, at) => {
    const tail = text.slice(-EDGE)
    return heads.flatMap((head, other) => (other === at ? [] : [tail + head]))
  })
  return [...seams, texts.join(''), texts.toReversed().join('')]
}

/**
 * The number of UTF-16 code units taken on each side of a join: more than the length of an answer's field with its
 * number.
 */
const EDGE = 80

function itemsOf(raw: string): readonly string[] {
  const items = raw.startsWith('[') ? raw.slice(1, -1).split(/["'”’]\s*,\s*["'“‘]/) : [raw]
  return items.map(bare).filter((item) => item !== '')
}

/**
 * Returns a function that tells whether a text has this field's name followed by this value. For the field `queries`,
 * the value may stand anywhere in the text.
 */
function giving(key: string, value: string): (input: string) => boolean {
  const letters = Array.from(key, (letter) => `[${letter}${FIGURES[letter] ?? ''}]`)
  const name = key === 'behavior' ? 'behaviou?r' : letters.join(APART)
  const start = `(?<![a-z0-9_])${name}${GIVEN}`
  const pattern = new RegExp(key === 'queries' ? start : `${start}${escaped(value)}(?![a-z0-9_])`)
  return (input) => pattern.test(input) && input.includes(value)
}

/** Matches the characters allowed between the letters of a spaced-out name. */
const APART = '[\\s,.*_/-]{0,2}'

/** Matches the characters allowed between a field's name and its value: quotes, a colon or arrow, and opening marks. */
const GIVEN = '["\'“”‘’`*_]{0,4}\\s?(?:[:=>→∶]|->){1,3}[\\s"\'“”‘’`*_([{#+-]{0,8}0{0,4}'

function bare(text: string): string {
  return spaced(text).replaceAll(/^["'“”‘’`[\s]+|["'“”‘’`\]\s]+$/g, '')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

interface Name {
  /**
   * The letters of the name. `disguised` has the same letters backwards and in rot13, which nobody writes by chance.
   */
  readonly letters: string
  readonly disguised: readonly string[]
  /** Matches the letters with anything except letters between them. */
  readonly span: RegExp
  /** Matches the name's words followed by a value that sets the field. */
  readonly given: RegExp
}

/**
 * Returns the fields that the actor's input names. Finds a field's name in each of these forms: as in code, with
 * another character or none in place of `_`, with spaces between the letters, disguised (`disguises.ts`), and split
 * over several texts. If the words of a name stand in an ordinary sentence, they count only if a text in `theirs` has,
 * after these words, a value that sets the field.
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

function isSpelt({ letters, disguised, span }: Name, { text, only }: { text: string; only: string }): boolean {
  if (disguised.some((other) => only.includes(other))) return true
  if (!only.includes(letters)) return false
  return Array.from(text.matchAll(span)).some(({ 0: found, index }) =>
    found === letters ? isAlone(text, index, index + found.length) : !isProse(found),
  )
}

/** Tells whether `words` is part of a sentence: every gap between its words has white space and no `_`. */
function isProse(words: string): boolean {
  const gaps = words.split(/[a-z]+/).slice(1, -1)
  return gaps.every((gap) => /\s/.test(gap) && !gap.includes('_'))
}

function isAlone(text: string, from: number, to: number): boolean {
  return !/[a-z]/.test(text.charAt(from - 1) + text.charAt(to))
}

/**
 * Tells whether several texts together spell the name: the end of one text, then any number of complete texts, then the
 * beginning of another text.
 */
function isPiecedTogether(key: ReportKey, texts: readonly string[]): boolean {
  const reached = new Set<number>()
  for (let at = 1; at < key.length; at += 1) if (texts.some((text) => text.endsWith(key.slice(0, at)))) reached.add(at)
  // A loop over a `Set` also visits the elements that are added during the loop.
  for (const at of reached)
    for (const text of texts) if (text !== '' && key.startsWith(text, at)) reached.add(at + text.length)
  return [...reached].some((at) => texts.some((text) => text.startsWith(key.slice(at))))
}

/**
 * Joins each text that ends inside an escape to the beginning of every other text, because the two texts may contain
 * the two halves of one escaped character.
 */
function acrossEscapes(texts: readonly string[]): readonly string[] {
  const cut = texts.filter((text) => CUT_ESCAPE.test(text))
  return cut.flatMap((text) =>
    texts.map((other) => (other === text ? '' : text.slice(-SEAM) + other.trimStart().slice(0, SEAM))),
  )
}

const CUT_ESCAPE = /\\u?[0-9a-f]{0,3}\s*$/i
/**
 * The number of UTF-16 code units taken on each side of a join. No field's name is longer, even with each letter
 * escaped twice.
 */
const SEAM = 240

/**
 * Reduces a text for comparison and removes the marks of Markdown's `_emphasis_`, which do not turn the words between
 * them into a field's name.
 */
function plain(text: string): string {
  return spaced(text).replaceAll(/(?<![a-z0-9_])_(?=[a-z0-9])([^_]{1,60})(?<=[a-z0-9])_(?![a-z0-9_])/g, '$1')
}

function nameOf(key: ReportKey): Name {
  const words = key.split('_')
  const letters = words.join('')
  const value =
    key === 'engagement_score'
      ? '[+-]?[0-2](?![\\d.,%/]|\\s(?:of|out|percent)\\b)'
      : key === 'pivot_choice'
        ? '(?!null|none)[a-z0-9]'
        : '(?:true|yes)(?![a-z])'
  return {
    letters,
    // `went_on` backwards is "not new", so that name alone says nothing: its value has to stand backwards too.
    disguised: [...(letters === 'wenton' ? ['eurtnotnew', 'seynotnew'] : [backwards(letters)]), rot13(letters)],
    span: new RegExp(Array.from(letters).join('[^a-z]*'), 'g'),
    given: new RegExp(
      `(?<![a-z])${words.join('\\s')}[\\s"'“”‘’\`*)\\]]{0,6}(?:[:=→>]|\\bto\\b)[\\s"'“”‘’\`*(\\[>]{0,6}${value}`,
    ),
  }
}

const NAMES = Object.fromEntries(REPORT_KEYS.map((key) => [key, nameOf(key)])) as Readonly<Record<ReportKey, Name>>
