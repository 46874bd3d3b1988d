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

/** One line that can carry neither a separator nor a heading, whatever it was made of. For what came from outside. */
export function quoted(text: string): string {
  return oneLine(neutralise(text))
}

/** An author's text on one line, so that it stays the item of a list that it is. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The transcript, oldest first. @param name the colleague's. */
export function historyText(lines: readonly Line[], name: string): string {
  if (lines.length === 0) return '(this is their first message)'
  return lines.map((line) => told(line, name)).join('\n')
}

function told(line: Line, name: string): string {
  if (line.who === 'marker') return `[${quoted(line.text)}]`
  return `${line.who === 'learner' ? 'Learner' : name}: ${quoted(line.text)}`
}
