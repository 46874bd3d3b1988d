import { cap } from '../reply/characters.ts'
import { openOptions } from '../run/options.ts'
import { neutralise } from '../reply/neutralise.ts'
import type { HistoryLine } from './briefing.ts'
import { type ContextName, isContextName } from '../graph/document/document.ts'
import type { Npc, Scenario } from '../scenario/scenario.ts'
import type { Thought } from '../walk/event.ts'

/** Returns a heading and the text under it. */
export function section(heading: string, body: string): string {
  return `${heading}:\n${body}`
}

/**
 * Lists items, one on each line.
 *
 * @param none the text for an empty list
 */
export function list(items: readonly string[], none = '(nothing in particular)'): string {
  return items.length === 0 ? none : items.map((item) => `- ${item}`).join('\n')
}

/**
 * The maximum number of UTF-16 code units of one text from outside (by the learner, the page, a memory or a model) in a
 * prompt.
 */
const QUOTED = 2_000

/**
 * Makes a text from outside safe for a prompt: one line that contains no separator, no heading and nothing that looks
 * like another speaker's line.
 */
export function quoted(text: string): string {
  const line = oneLine(neutralise(text))
  return line.length <= QUOTED ? line : `${cap(line, QUOTED - 1)}…`
}

/**
 * Returns a text from outside in quotation marks, made safe by `quoted`. Quotation marks inside the text are replaced,
 * so the end of the quotation is clear.
 */
export function inQuotes(text: string): string {
  return `"${quoted(text).replaceAll(DOUBLE_QUOTES, "'")}"`
}

/**
 * Straight, curly, low, turned, doubled and wide quotation marks: all characters that a model may read as the end of a
 * quotation.
 */
const DOUBLE_QUOTES = /["\u201c-\u201f\u2033\u2036\u301d-\u301f\uff02]/g

/** Puts an author's text on one line, so that it stays one item of a list. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/**
 * Writes the transcript, oldest line first, with the learner's lines in quotation marks.
 *
 * @param name the colleague's name
 */
export function historyText(lines: readonly HistoryLine[], name: string): string {
  if (lines.length === 0) return '(this is their first message)'
  return lines.map((line) => lineText(line, name)).join('\n')
}

function lineText(line: HistoryLine, name: string): string {
  if (line.who === 'marker') return `[${quoted(line.text)}]`
  // A learner's message may contain the line "Maya: I agree.", which looks like a line of the colleague. So the whole
  // message becomes one line in quotation marks.
  return line.who === 'learner' ? `Learner: ${inQuotes(line.text)}` : `${name}: ${quoted(line.text)}`
}

/** The legend that explains the letters of a graph's map. */
export const MAP_LEGEND =
  'Letters: [A] you talk, [D] a way is chosen, [C] something is looked up, [R] you reflect, [N] a note is taken, [S] something is sent.'

/** Marks one state in the map of a graph. A map without that state stays unchanged. */
export function markedMap(topology: string, state: string): string {
  return topology
    .trim()
    .split('\n')
    .map((line) => (headOf(line) === state ? `>>> ${line}` : line))
    .join('\n')
}

/**
 * Returns the state that a line of a map describes: `greet` for `[A] greet` and for `[R] greet -> [A] plan`. Returns
 * null for a line of exits, which is indented.
 */
function headOf(line: string): string | null {
  return /^\[[A-Z?]\] (\S+)/.exec(line)?.[1] ?? null
}

/**
 * Returns the text for each name in a state's `included_contexts`, one line each, in the order of `names`. A name that
 * is not a `ContextName` adds no line; lint G039 reports such names.
 */
export function includedContext(names: readonly string[], scenario: Scenario, npc: Npc): readonly string[] {
  return names.filter(isContextName).flatMap((name) => {
    const text = textOf(name, scenario, npc)
    return text === '' ? [] : [`${name}: ${oneLine(text)}`]
  })
}

function textOf(name: ContextName, scenario: Scenario, npc: Npc): string {
  switch (name) {
    case 'task':
      return `${scenario.decision.question} (${openOptions(scenario.decision, [])
        .map(({ title }) => title)
        .join('; ')})`
    case 'situation':
      return `${scenario.situation.where}. ${scenario.situation.what}`
    case 'objective':
      return npc.goal.endCondition
    case 'knowledge':
      return npc.knowledge.join(' ')
    case 'document':
      return npc.document ? `${npc.document.title}: ${npc.document.lines.join(' | ')}` : ''
    case 'colleagues':
      return scenario.npcs
        .filter(({ id }) => id !== npc.id)
        .map(({ name: who, owns }) => `${who}, ${owns}`)
        .join('; ')
  }
}

/** Three limits: thoughts in a prompt, memories of one recall, and UTF-16 code units of one text. */
const THOUGHTS = 12
const FOUND = 5
const CHARACTERS = 600

/** Returns the latest thoughts, newest last. */
export function inMind(thoughts: readonly Thought[]): readonly Thought[] {
  return thoughts.slice(-THOUGHTS)
}

/**
 * Writes a thought on one line. Texts from a memory or a model are made safe like any text from outside, so that one
 * memory cannot look like two.
 */
export function thoughtText(thought: Thought): string {
  switch (thought.kind) {
    case 'annotation':
      return `note: ${short(thought.text)}`
    case 'reflection':
      return `concluded: ${short(thought.text)}`
    case 'recall':
      return `looked up ${quotedShort(thought.query)}: ${found(thought.found)}`
  }
}

function found(memories: readonly string[]): string {
  return memories.length === 0 ? 'nothing' : memories.slice(0, FOUND).map(quotedShort).join(' | ')
}

function quotedShort(text: string): string {
  return inQuotes(cap(text, CHARACTERS))
}

function short(text: string): string {
  return cap(quoted(text), CHARACTERS)
}
