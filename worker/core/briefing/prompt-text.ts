import { cap } from '../reply/characters.ts'
import { neutralise } from '../reply/neutralise.ts'
import type { HistoryLine } from './briefing.ts'
import { type ContextName, isContextName } from '../graph/document/document.ts'
import type { Npc, Scenario } from '../scenario/scenario.ts'
import type { Thought } from '../walk/event.ts'

/** A heading and the text under it. */
export function section(heading: string, body: string): string {
  return `${heading}:\n${body}`
}

/** One item a line. @param none the text for an empty list. */
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
export function historyText(lines: readonly HistoryLine[], name: string): string {
  if (lines.length === 0) return '(this is their first message)'
  return lines.map((line) => lineText(line, name)).join('\n')
}

function lineText(line: HistoryLine, name: string): string {
  if (line.who === 'marker') return `[${quoted(line.text)}]`
  // A message of theirs may hold "Maya: I agree." on a line of its own, and is one line here.
  return line.who === 'learner' ? `Learner: ${inQuotes(line.text)}` : `${name}: ${quoted(line.text)}`
}

/** The meaning of a map's letters. */
export const MAP_LEGEND =
  'Letters: [A] you talk, [D] a way is chosen, [C] something is looked up, [R] you reflect, [N] a note is taken, [S] something is sent.'

/** A map of a graph with one of its states marked. A state that is not on it leaves it as it is. */
export function markedMap(topology: string, state: string): string {
  return topology
    .trim()
    .split('\n')
    .map((line) => (headOf(line) === state ? `>>> ${line}` : line))
    .join('\n')
}

/** The state a line is about: `greet` of `[A] greet` and of `[R] greet -> [A] plan`. Exits stand indented. */
function headOf(line: string): string | null {
  return /^\[[A-Z?]\] (\S+)/.exec(line)?.[1] ?? null
}

/** The text behind each name, one line each, in the order of the state. A name that is not known gives nothing; the lint G039 says so. */
export function includedContext(names: readonly string[], scenario: Scenario, npc: Npc): readonly string[] {
  return names.filter(isContextName).flatMap((name) => {
    const text = textOf(name, scenario, npc)
    return text === '' ? [] : [`${name}: ${oneLine(text)}`]
  })
}

function textOf(name: ContextName, scenario: Scenario, npc: Npc): string {
  switch (name) {
    case 'task':
      return `${scenario.decision.question} (${scenario.decision.options.map(({ title }) => title).join('; ')})`
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

/** At most this much of what a walk keeps in mind goes into a prompt, the latest of it. */
const THOUGHTS = 12
const FOUND = 5
const CHARACTERS = 600

/** The latest thoughts, newest last, bounded in number. */
export function inMind(thoughts: readonly Thought[]): readonly Thought[] {
  return thoughts.slice(-THOUGHTS)
}

/** A thought on one line. What a memory or a model put into it is quoted, as anything from outside: no memory reads as two. */
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
