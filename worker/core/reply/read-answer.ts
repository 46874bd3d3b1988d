import { cap } from './characters.ts'
import { THINK_TAGS, createThinkFilter } from './filters.ts'
import { closingBrace, readQuoted, readRawObject, type RawPair } from './find-report.ts'
import { neutralise } from './neutralise.ts'
import { withoutKeyNames } from './report.ts'
import { pushAll, type TextStage } from './stage.ts'
import { clean } from '../text/clean.ts'
import type { Pick } from '../walk/event.ts'

/** Longer is no answer to any question asked here, in UTF-16 code units. */
const MAX_TEXT = 65_536

/** An answer's fields: of each object of the text that has one of them, all that stands at its top level. */
export type FoundAnswers =
  | { readonly ok: true; readonly objects: readonly (readonly RawPair[])[] }
  /** A field is named where it cannot be told what is said of it. */
  | { readonly ok: false }

/**
 * Finds the objects in an actor's answer that hold any of these fields; fences, reasoning and prose around them are
 * passed over. Nothing is repaired: an object that is cut, or that names a field without giving it, spoils the answer,
 * because what the whole of it would have said is not known.
 */
export function findAnswers(text: string, keys: readonly string[]): FoundAnswers {
  if (text.length > MAX_TEXT) return { ok: false }
  const said = withoutReasoning(text)
  const objects: (readonly RawPair[])[] = []
  let at = said.indexOf('{')
  while (at >= 0) {
    const object = readRawObject(said, at)
    const end = object.status === 'whole' ? object.end : (closingBrace(said, at) ?? said.length)
    if (object.status === 'whole' && object.pairs.some(({ key }) => keys.includes(key))) objects.push(object.pairs)
    else if (names(said.slice(at, end), keys)) return { ok: false }
    at = said.indexOf('{', end)
  }
  return { ok: true, objects }
}

/** What an actor says besides its reasoning. Reasoning whose beginning is not marked is all that stands before its end. */
function withoutReasoning(text: string): string {
  let said = ''
  const collect: TextStage = { push: (point) => void (said += point), end: () => undefined }
  const note = (issue: string) => {
    if (issue === 'reasoning-unopened') said = ''
  }
  const filter = createThinkFilter(collect, { tags: THINK_TAGS, startsInThink: false, note })
  pushAll(filter, text)
  filter.end()
  return said
}

/** Whether a field seems to be given somewhere in there. */
function names(text: string, keys: readonly string[]): boolean {
  return keys.some((key) => new RegExp(`${key}["'“”‘’\`\\\\\\s]{0,8}[:=]`, 'i').test(text))
}

/**
 * Reads which action or exit was picked. Fail closed: null unless exactly one index is given, to the digit, and it is
 * one of those offered. Both at once, two answers that differ, a field given twice with two values, anything cut or
 * out of range: null. Nothing is ever rounded, counted from another end or found in prose.
 *
 * @param offered how many there were of each
 */
export function readPick(text: string, offered: { readonly actions: number; readonly exits: number }): Pick | null {
  const found = findAnswers(text, ['action', 'exit'])
  if (!found.ok) return null
  const picks = found.objects.map((pairs) => pickIn(pairs, offered))
  const [first = null, ...rest] = picks
  if (first === null) return null
  return rest.every((other) => other !== null && isSame(first, other)) ? first : null
}

function pickIn(pairs: readonly RawPair[], offered: { actions: number; exits: number }): Pick | null {
  const action = indexIn(pairs, 'action', offered.actions)
  const exit = indexIn(pairs, 'exit', offered.exits)
  if (typeof action === 'number') return exit === 'none' ? { action } : null
  return typeof exit === 'number' && action === 'none' ? { exit } : null
}

/** `none`: the field is not there, or null. */
function indexIn(pairs: readonly RawPair[], name: string, count: number): number | 'none' | 'unreadable' {
  const values = new Set(pairs.flatMap(({ key, raw }) => (key === name ? [raw] : [])))
  if (values.size > 1) return 'unreadable'
  const [raw = 'null'] = values
  if (raw === 'null') return 'none'
  const digits = readQuoted(raw)?.trim() ?? raw
  if (!/^(?:0|[1-9]\d{0,5})$/.test(digits)) return 'unreadable'
  return Number(digits) < count ? Number(digits) : 'unreadable'
}

function isSame(a: Pick, b: Pick): boolean {
  return 'action' in a ? 'action' in b && a.action === b.action : 'exit' in b && a.exit === b.exit
}

/**
 * Reads which behavior applies.
 *
 * @param ids those that were offered; no other ever comes back.
 * @returns the id; null for an answer that none applies; undefined for one that can't be read or names another, which
 * is no reason to take a behavior out of force.
 */
export function readBehavior(text: string, ids: readonly string[]): string | null | undefined {
  const found = findAnswers(text, ['behavior'])
  if (!found.ok) return undefined
  const raws = found.objects.flatMap((pairs) => pairs.flatMap(({ key, raw }) => (key === 'behavior' ? [raw] : [])))
  const answers = new Set(raws.map((raw) => readOne(raw, ids)))
  const [only] = answers
  return answers.size === 1 ? only : undefined
}

function readOne(raw: string, ids: readonly string[]): string | null | undefined {
  const text = readQuoted(raw) ?? raw
  if (ids.includes(text)) return text
  return /^(?:null|none|)$/i.test(text) ? null : undefined
}

/** At most this many queries are taken of an answer, each of at most this many UTF-16 code units. */
export const MAX_QUERIES = 5
export const MAX_QUERY_CHARACTERS = 200

/**
 * Reads the queries an actor wrote: on one line each, without what nobody can see, none twice (letter case aside).
 * What is no list of texts gives none.
 */
export function readQueries(text: string): readonly string[] {
  const found = findAnswers(text, ['queries'])
  if (!found.ok) return []
  const raw = found.objects.flat().find(({ key }) => key === 'queries')?.raw ?? ''
  const queries = new Map<string, string>()
  for (const written of textsIn(raw)) {
    const query = cap(clean(written).replace(/\s+/g, ' ').trim(), MAX_QUERY_CHARACTERS).trim()
    if (query !== '' && !queries.has(query.toLowerCase())) queries.set(query.toLowerCase(), query)
  }
  return [...queries.values()].slice(0, MAX_QUERIES)
}

/** The texts of a JSON array, or the one text that stands in its place. */
function textsIn(raw: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(raw)
    return [value].flat().filter((item) => typeof item === 'string')
  } catch {
    return []
  }
}

/** No word is longer than that on average; it bounds an answer that has no spaces. */
const CHARACTERS_A_WORD = 12
const FENCE = /```[\w-]*/g

/**
 * Reads a conclusion: one line of plain text within the limit, cut at the end of a sentence where one ends inside it.
 * An answer in prose is taken as it is; one whose object is cut or is another gives nothing.
 *
 * @param wordLimit words, as white space divides them; below 1 there is no room for any.
 * @returns '' when there is nothing to keep. Never holds a separator or a heading.
 */
export function readReflection(text: string, wordLimit: number): string {
  if (!(wordLimit >= 1)) return ''
  // It is told again in every later briefing, and what is told there can be no report's field.
  const plain = neutralise(withoutKeyNames(concluded(text)))
    .replace(/\s+/g, ' ')
    .trim()
  // Once more: lines that were joined, and a line that was cut, may begin like a heading when their parts did not.
  return neutralise(withinLimit(neutralise(plain), Math.floor(wordLimit)))
}

function concluded(text: string): string {
  const found = findAnswers(text, ['reflection'])
  if (!found.ok) return ''
  const raw = found.objects.flat().find(({ key }) => key === 'reflection')?.raw
  if (raw !== undefined) return readQuoted(raw) ?? ''
  const prose = withoutReasoning(text).replaceAll(FENCE, ' ')
  return /[{}]/.test(prose) ? '' : prose
}

function withinLimit(text: string, wordLimit: number): string {
  const words = text.split(' ')
  const kept = cap(words.slice(0, wordLimit).join(' '), Math.min(wordLimit, 2_000) * CHARACTERS_A_WORD)
  if (kept === text) return kept
  const sentences = /^.*[.!?]["')”’]*(?= |$)/.exec(kept)?.[0]
  return sentences ?? kept.trimEnd()
}
