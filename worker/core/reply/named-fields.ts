import { reversed, turned, withLetters, withoutTags } from './disguises.ts'
import { spaced, withoutSpaces } from './fold.ts'
import { REPORT_KEYS, type ReportKey } from './known-keys.ts'
import type { Outside } from './outside.ts'
import { readings } from './readings.ts'

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
export function namedFields(keys: readonly ReportKey[], { theirs, ours }: Outside): readonly ReportKey[] {
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
    disguised: [reversed(letters), turned(letters)],
    span: new RegExp(Array.from(letters).join('[^a-z]*'), 'g'),
    given: new RegExp(
      `(?<![a-z])${words.join('\\s')}[\\s"'“”‘’\`*)\\]]{0,6}(?:[:=→>]|\\bto\\b)[\\s"'“”‘’\`*(\\[>]{0,6}${value}`,
    ),
  }
}

const NAMES = Object.fromEntries(REPORT_KEYS.map((key) => [key, nameOf(key)])) as Readonly<Record<ReportKey, Name>>
