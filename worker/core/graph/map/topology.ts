import type { ExitDocument, GraphDocument, StateDocument, TargetDocument } from '../document/document.ts'
import { guardWords, LETTER_OF_TYPE } from './map-words.ts'

/**
 * Writes the map of a context graph as text: every state and exit, but not those of the graphs it refers to. The map is
 * always derived from the document, so it is never out of date. Every line ends in `\n`. A missing state is written
 * `[?]`, so the map of a broken graph shows where it is broken.
 *
 * @param library the graphs that the document may refer to. If the library contains the called graph, a call gets the
 * letter of the called state's type. If not, it gets `[A]`, because most calls lead to an action state.
 */
export function topologyOf(document: GraphDocument, library: readonly GraphDocument[] = []): string {
  const entries = [
    `START(new user) -> ${named(document, document.newUserInitialState)}`,
    `START(returning user) -> ${named(document, document.returningUserInitialState)}`,
  ]
  const blocks = document.states.map((state) => blockOf(document, state, library))
  return [entries, ...blocks].map((lines) => `${lines.join('\n')}\n`).join('\n')
}

/**
 * Writes a state and its exits: on one line if there is one exit without a condition, else each exit on a line below.
 */
function blockOf(document: GraphDocument, state: StateDocument, library: readonly GraphDocument[]): readonly string[] {
  const name = named(document, state.name)
  const exits = exitsOf(state).map(({ condition, to }) => {
    const arrow = `-> ${targetText(document, to, library)}`
    return condition === null ? arrow : `(${escapeCondition(condition)}) ${arrow}`
  })
  const [only, ...rest] = exits
  const indented = exits.map((exit) => `  ${exit}`)
  if (state.name === document.terminalState) return [`${name} -> END`, ...indented]
  if ('nextStates' in state && only !== undefined && rest.length === 0) return [`${name} ${only}`]
  return [name, ...indented]
}

function exitsOf(state: StateDocument): readonly { readonly condition: string | null; readonly to: TargetDocument }[] {
  if ('nextStates' in state) return state.nextStates.map((to) => ({ condition: null, to }))
  return state.exits.map((exit) => ({ condition: conditionOf(exit), to: exit.nextState }))
}

function conditionOf({ description, when, isGuarded }: ExitDocument): string {
  if (description.trim() !== '') return description
  if (when) return guardWords(when)
  return isGuarded ? 'otherwise' : ''
}

function targetText(document: GraphDocument, to: TargetDocument, library: readonly GraphDocument[]): string {
  if (typeof to === 'string') return named(document, to)
  return `[${letterOfCall(document, to.call, library)}] ${to.call} [returns to ${to.returnTo}]`
}

function named(document: GraphDocument, name: string): string {
  return `[${letterIn(document, name)}] ${name}`
}

function letterOfCall(document: GraphDocument, call: string, library: readonly GraphDocument[]): string {
  const [reference = '', ...state] = call.split('.')
  const known = Object.hasOwn(document.references, reference) ? document.references[reference] : undefined
  const callee = library.find(({ id, version }) => id === known?.id && version === known.version)
  return callee ? letterIn(callee, state.join('.')) : 'A'
}

function letterIn(document: GraphDocument, name: string): string {
  const state = document.states.find((candidate) => candidate.name === name)
  return state ? LETTER_OF_TYPE[state.type] : '?'
}

/**
 * Escapes a condition for a topology's parentheses: puts it on one line, with a backslash before every backslash and
 * every unpaired parenthesis. Paired parentheses stay as they are, so that prose stays readable.
 */
function escapeCondition(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const lonely = lonelyParentheses(line)
  return line
    .split('')
    .map((char, i) => (char === '\\' || lonely.has(i) ? `\\${char}` : char))
    .join('')
}

/** Parses a condition from a line that begins with its opening parenthesis; returns null if nothing closes it. */
export function readCondition(line: string): { readonly condition: string; readonly rest: string } | null {
  let condition = ''
  let depth = 0
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i)
    if (char === '\\' && ESCAPED.includes(line.charAt(i + 1)) && i + 1 < line.length) {
      i++
      condition += line.charAt(i)
      continue
    }
    if (char === ')') depth--
    if (depth === 0 && char === ')') return { condition: condition.trim(), rest: line.slice(i + 1) }
    if (depth > 0) condition += char
    if (char === '(') depth++
  }
  return null
}

const ESCAPED = '()\\'

function lonelyParentheses(line: string): ReadonlySet<number> {
  const open: number[] = []
  const lonely = new Set<number>()
  for (const [i, char] of line.split('').entries()) {
    if (char === '(') open.push(i)
    if (char === ')' && open.pop() === undefined) lonely.add(i)
  }
  for (const i of open) lonely.add(i)
  return lonely
}
