import { cap } from './characters.ts'
import { THINK_TAGS, createThinkFilter } from './filters.ts'
import { closingBrace, readQuoted, readRawObject, type RawPair } from './find-report.ts'
import { neutralise } from './neutralise.ts'
import { withoutKeyNames } from './report.ts'
import { pushAll, type TextStage } from './stage.ts'
import { clean } from '../text/clean.ts'
import type { Pick } from '../walk/event.ts'

/** The maximum length of an answer, in UTF-16 code units. No task needs a longer answer. */
const MAX_TEXT = 65_536

/** The top-level fields of each object that has one of the requested fields. */
export type FoundAnswers =
  | { readonly ok: true; readonly objects: readonly (readonly RawPair[])[] }
  /** The text names a field but does not clearly give its value. */
  | { readonly ok: false }

/**
 * Finds the objects in an actor's answer that contain any of these fields, and skips fences, reasoning and prose around
 * them. If an object is cut off, or names a field without a value, the whole answer is unreadable, because the missing
 * part may have given a different value.
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

/**
 * Reads the JSON object in a model's answer, and skips reasoning, fences and prose around it. Returns null if there is
 * no such object, or more than one.
 */
export function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  const said = withoutReasoning(text)
  try {
    return JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1)) as Readonly<Record<string, unknown>>
  } catch {
    return null
  }
}

/** Removes the actor's reasoning. If a closing tag has no opening tag, all text before the closing tag is reasoning. */
export function withoutReasoning(text: string): string {
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

/** Tells whether the text seems to give a value for one of these fields. */
function names(text: string, keys: readonly string[]): boolean {
  return keys.some((key) => new RegExp(`${key}["'“”‘’\`\\\\\\s]{0,8}[:=]`, 'i').test(text))
}

/**
 * Reads which action or exit the actor picked. Returns null unless the answer gives exactly one offered index, as
 * digits. For example, returns null if the answer gives both an action and an exit, or two values for a field, or an
 * index that is too high, or if an object in the answer is cut off. Does not search prose for an index.
 *
 * @param offered the number of actions and of exits
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

/** Reads the index in a field. Returns `none` if the field is absent or null. */
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
 * @param ids the behaviors that were offered; no other id is ever returned
 * @returns the id; null if the answer says that no behavior applies; undefined if the answer is unreadable or names an
 * id that was not offered, so that the current behavior stays active
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

/** The maximum number of queries taken from an answer, and the maximum length of a query in UTF-16 code units. */
export const MAX_QUERIES = 5
export const MAX_QUERY_CHARACTERS = 200

/**
 * Reads the queries that an actor wrote: one line each, without invisible characters, and without duplicates that
 * differ only in letter case. Returns an empty list for anything that is not a list of texts.
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

function textsIn(raw: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(raw)
    return [value].flat().filter((item) => typeof item === 'string')
  } catch {
    return []
  }
}

/**
 * The number of characters allowed for each word of the word limit. This number limits the length of an answer that has
 * no spaces.
 */
const CHARACTERS_A_WORD = 12
const FENCE = /```[\w-]*/g

/**
 * Reads a conclusion as one line of plain text within `wordLimit`, and cuts a longer conclusion at the end of a
 * sentence if possible. An answer in prose counts as the conclusion. An object that is cut, or that has no `reflection`
 * field, gives an empty text.
 *
 * @param wordLimit the maximum number of words, divided by white space; below 1 nothing is kept
 * @returns '' if there is nothing to keep; never a text with a separator or a heading
 */
export function readReflection(text: string, wordLimit: number): string {
  if (!(wordLimit >= 1)) return ''
  // Every later briefing repeats the conclusion, so it must not name a report's field.
  const plain = neutralise(withoutKeyNames(concluded(text)))
    .replace(/\s+/g, ' ')
    .trim()
  // After lines are joined or a line is cut, the result may begin like a heading, although no line of the answer did.
  // So the text is neutralised again after the joining, and again after the cut.
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
