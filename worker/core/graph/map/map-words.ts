import type { StateDocument } from '../document/document.ts'
import type { Guard, NodeKind } from '../graph.ts'

/** Writes a guard in words: `relationship at least cooperative and not (GROUND satisfied)`. */
export function guardWords(guard: Guard): string {
  if ('relationship' in guard) return `relationship at least ${guard.relationship.atLeast}`
  if ('satisfied' in guard) return `${guard.satisfied} satisfied`
  if ('not' in guard) return `not (${guardWords(guard.not)})`
  if ('all' in guard) return joined(guard.all, ' and ', 'always')
  return joined(guard.any, ' or ', 'never')
}

/** @param none the words for an empty list: an empty `all` always holds, an empty `any` never holds */
function joined(parts: readonly Guard[], word: string, none: string): string {
  if (parts.length === 0) return none
  return parts.map((part) => (isList(part) ? `(${guardWords(part)})` : guardWords(part))).join(word)
}

function isList(guard: Guard): boolean {
  return 'all' in guard ? guard.all.length > 1 : 'any' in guard && guard.any.length > 1
}

export type StateType = StateDocument['type']

/**
 * The letter of a state's type in a topology, the map of a graph as text: N for annotation. A missing state gets `?`.
 */
export type StateLetter = 'A' | 'D' | 'C' | 'N' | 'R' | 'S'

export const LETTER_OF_TYPE: Readonly<Record<StateType, StateLetter>> = {
  action: 'A',
  decision: 'D',
  recall: 'C',
  annotation: 'N',
  reflection: 'R',
  'side-effect': 'S',
}

export const LETTER_OF_KIND: Readonly<Record<NodeKind, StateLetter>> = {
  speak: 'A',
  pivot: 'A',
  decide: 'D',
  recall: 'C',
  annotate: 'N',
  reflect: 'R',
  effect: 'S',
}

/** Returns the state type for a letter; null for any other text. */
export function typeOfLetter(letter: string): StateType | null {
  return TYPES.find((type) => LETTER_OF_TYPE[type] === letter) ?? null
}

const TYPES: readonly StateType[] = ['action', 'decision', 'recall', 'annotation', 'reflection', 'side-effect']
