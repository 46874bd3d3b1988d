import type { Density } from '../briefing/briefing.ts'
import { type ActionDocument, type GraphDocument, injectedGuidelines } from './document/document.ts'
import type { Guidelines } from './graph.ts'
import { wordsIn } from './document/lints/words.ts'

/** The parts of a state that decide how much freedom the state leaves its speaker. */
export interface DensitySource {
  readonly objective: string
  readonly actions: readonly string[]
  /** The state's guidelines, with the graph's global guidelines. */
  readonly guidelines: Guidelines
  /** The state's exits. Only their number counts. */
  readonly exits: readonly unknown[]
}

/**
 * The five factors that make up a density, each from 0 (the state leaves everything to the speaker) to 1 (the state
 * fixes everything).
 */
export interface DensityFactors {
  readonly specificity: number
  readonly constraints: number
  readonly prescriptiveness: number
  readonly exits: number
  readonly detail: number
}

/**
 * Returns how much a state prescribes to its speaker: the mean of the five factors, and the band (such as `dense`) in
 * which the mean lies.
 */
export function densityOf(state: DensitySource): Density {
  return inBand(mean(Object.values(densityFactors(state))))
}

/** Returns each factor of a density by itself, to explain a score. */
export function densityFactors({ objective, actions, guidelines, exits }: DensitySource): DensityFactors {
  const hard = guidelines.boundary.filter(({ isHard }) => isHard).length
  const instructions = [...guidelines.navigation, ...guidelines.action]
  return {
    specificity: strictness(objective),
    constraints: share(guidelines.boundary.length + hard, MANY.constraints),
    prescriptiveness: share(sum(instructions.map(strictness)), MANY.instructions),
    // With one exit or none, the speaker has no exit to choose, so this factor is 1.
    exits: 1 - share(Math.max(0, exits.length - 1), MANY.exits),
    detail: mean([
      share(mean(actions.map((action) => wordsIn(action).length)), MANY.words),
      share(Math.max(0, actions.length - 1), MANY.actions),
    ]),
  }
}

/** Returns a state's density, including the global guidelines of the state's graph. */
export function densityOfState(document: GraphDocument, state: ActionDocument): Density {
  const { objective, actions, exits } = state
  return densityOf({ objective, actions, guidelines: injectedGuidelines(document, state), exits })
}

/**
 * Returns a graph's density: the mean density of its action states. The terminal state does not count, because it ends
 * the conversation and leaves nothing open.
 */
export function densityOfDocument(document: GraphDocument): Density {
  const states = document.states.filter(
    (state): state is ActionDocument => state.type === 'action' && state.name !== document.terminalState,
  )
  return inBand(mean(states.map((state) => densityOfState(document, state).score)))
}

/** For each of these amounts, and for more, `share` returns 1. */
const MANY = { constraints: 8, instructions: 8, exits: 5, words: 20, actions: 5 }

function inBand(exact: number): Density {
  const score = Math.round(exact * 100) / 100
  const band = score < 0.25 ? 'minimal' : score < 0.5 ? 'moderate' : score < 0.75 ? 'dense' : 'override'
  return { score, band }
}

/**
 * Returns how firm a text is, from 0 to 1. The value starts at a half; each word of `FIRM` and each figure adds a
 * sixth, each word of `OPEN` subtracts a sixth.
 */
function strictness(text: string): number {
  const words = wordsIn(text)
  const firm = words.filter((word) => FIRM.has(word) || /\d/.test(word)).length
  const open = words.filter((word) => OPEN.has(word)).length
  return clamp(0.5 + (firm - open) / 6)
}

const FIRM = new Set(
  'all always any before each ensure every exact exactly explicitly first immediately mandatory must never no not once only precisely protocol regulatory require required requires shall specific step strict strictly verbatim verify'.split(
    ' ',
  ),
)

const OPEN = new Set(
  'adapt allow could excessive exploration explore feel flexible flexibly free freely improvise invite judgment judgement may maybe might natural naturally open openly perhaps possibilities possibly prefer space suggest'.split(
    ' ',
  ),
)

function share(amount: number, full: number): number {
  return clamp(amount / full)
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length
}
