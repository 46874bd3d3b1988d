import { cap } from '../reply/characters.ts'
import { neutralise } from '../reply/neutralise.ts'
import type { Line } from './briefing.ts'

/** A heading and what stands under it. */
export function section(heading: string, body: string): string {
  return `${heading}:\n${body}`
}

/** One item a line. @param none what stands there without any. */
export function list(items: readonly string[], none = '(nothing in particular)'): string {
  return items.length === 0 ? none : items.map((item) => `- ${item}`).join('\n')
}

/** No text from outside takes up more of a prompt than that, in UTF-16 code units. */
const QUOTED = 2_000

/**
 * One line that can carry neither a separator nor a heading nor somebody's turn, whatever it was made of. For what came
 * from outside.
 */
export function quoted(text: string): string {
  const line = oneLine(neutralise(text))
  return line.length <= QUOTED ? line : `${cap(line, QUOTED - 1)}…`
}

/** The same between quotation marks, with none inside: what they hold is all of it. */
export function inQuotes(text: string): string {
  return `"${quoted(text).replaceAll(DOUBLE_QUOTES, "'")}"`
}

/** Straight, curly, low, turned, doubled and wide: whatever a reader may take for the end of what is quoted. */
const DOUBLE_QUOTES = /["\u201c-\u201f\u2033\u2036\u301d-\u301f\uff02]/g

/** An author's text on one line, so that it stays the item of a list that it is. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The transcript, oldest first, the learner's lines between quotation marks. @param name the colleague's. */
export function historyText(lines: readonly Line[], name: string): string {
  if (lines.length === 0) return '(this is their first message)'
  return lines.map((line) => told(line, name)).join('\n')
}

function told(line: Line, name: string): string {
  if (line.who === 'marker') return `[${quoted(line.text)}]`
  // A message of theirs may hold "Maya: I agree." on a line of its own, and is one line here.
  return line.who === 'learner' ? `Learner: ${inQuotes(line.text)}` : `${name}: ${quoted(line.text)}`
}
