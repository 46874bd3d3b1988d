import { createBraceCounter } from './braces.ts'
import type { RawPair } from './report-pairs.ts'
import { readRawObject } from './report-pairs.ts'
import type { Stage } from './stage.ts'
import { pushAll } from './stage.ts'
import { createThinkFilter, THINK_TAGS } from './think-filter.ts'

/** Longer is no answer to any question asked here, in UTF-16 code units. */
const MAX_TEXT = 65_536

/** An answer's fields: of each object of the text that has one of them, all that stands at its top level. */
export type Answered =
  | { readonly ok: true; readonly objects: readonly (readonly RawPair[])[] }
  /** A field is named where it cannot be told what is said of it. */
  | { readonly ok: false }

/**
 * Finds the objects in an actor's answer that hold any of these fields; fences, reasoning and prose around them are
 * passed over. Nothing is repaired: an object that is cut, or that names a field without giving it, spoils the answer,
 * because what the whole of it would have said is not known.
 */
export function findAnswers(text: string, keys: readonly string[]): Answered {
  if (text.length > MAX_TEXT) return { ok: false }
  const said = withoutReasoning(text)
  const objects: (readonly RawPair[])[] = []
  let at = said.indexOf('{')
  while (at >= 0) {
    const object = readRawObject(said, at)
    const end = object.status === 'whole' ? object.end : closingBrace(said, at)
    if (object.status === 'whole' && object.pairs.some(({ key }) => keys.includes(key))) objects.push(object.pairs)
    else if (names(said.slice(at, end), keys)) return { ok: false }
    at = said.indexOf('{', end)
  }
  return { ok: true, objects }
}

/** What an actor says besides its reasoning. Reasoning whose beginning is not marked is all that stands before its end. */
export function withoutReasoning(text: string): string {
  let said = ''
  const collect: Stage = { push: (point) => void (said += point), end: () => undefined }
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

/** The index behind the brace that closes the one at `start`; the text's end without one. */
function closingBrace(text: string, start: number): number {
  const braces = createBraceCounter()
  for (let at = start; at < text.length; at += 1) {
    braces.push(text.charAt(at))
    if (braces.isClosed()) return at + 1
  }
  return text.length
}
