import { type StateType, typeOfLetter } from './map-words.ts'
import type { TopologyTarget } from './topology-map.ts'

/** States joined by arrows on one line. */
export interface Chain {
  readonly steps: readonly ChainStep[]
  /** The last arrow leads to END. */
  readonly ends: boolean
}

export interface ChainStep {
  readonly target: TopologyTarget
  readonly type: StateType | null
}

/** Reads `-> [A] x -> [D] y -> END`, arrow first, or says in half a sentence what is wrong with the line. */
export function readChain(text: string): Chain | { readonly problem: string } {
  const steps: ChainStep[] = []
  let rest = text.trim()
  let isAfterCall = false
  while (rest !== '') {
    if (!startsWithArrow(rest)) return { problem: 'goes on without an arrow. Write "->" between states.' }
    rest = rest.replace(ARROW, '')
    if (rest === 'END') return { steps, ends: true }
    const node = readNode(rest)
    if (!node) return { problem: 'has an arrow that leads to no state. Write "-> [A] name", or "-> END".' }
    const problem = problemOf(node.step, isAfterCall)
    if (problem !== null) return { problem }
    steps.push(node.step)
    isAfterCall = 'call' in node.step.target
    rest = node.rest
  }
  return steps.length > 0 ? { steps, ends: false } : { problem: 'has no arrow. Write where it leads: "-> [A] name".' }
}

/** Reads one state off the beginning of a text: `[A] name`, or `[A] reference.name [returns to name]`. */
export function readNode(text: string): { readonly step: ChainStep; readonly rest: string } | null {
  const [whole, letter = '', name = '', returnTo] = NODE.exec(text) ?? []
  if (whole === undefined) return null
  const type = typeOfLetter(letter)
  const target = returnTo === undefined ? { state: name } : { call: name, type, returnTo }
  return { step: { target, type }, rest: text.slice(whole.length) }
}

export function startsWithArrow(text: string): boolean {
  return ARROW.test(text)
}

const ARROW = /^(?:->|→)\s*/
// A name stops before an arrow that is written close to it.
const NAME = String.raw`((?:(?!->)[\p{L}\p{M}\p{N}_.-])+)`
const NODE = new RegExp(String.raw`^\[([ADCNRS?])\]\s*${NAME}(?:\s*\[returns to ${NAME}\])?\s*`, 'u')

function problemOf({ target }: ChainStep, isAfterCall: boolean): string | null {
  if (isAfterCall) {
    return 'goes on after a call. What comes after the other graph is the state it returns to.'
  }
  if ('state' in target && target.state.includes('.')) {
    return `calls "${target.state}" and does not say where to go on. Write "[returns to name]" after it.`
  }
  if ('call' in target && !target.call.includes('.')) {
    return `returns from "${target.call}", which is no state of another graph. Such a one is written "reference.state".`
  }
  return null
}
