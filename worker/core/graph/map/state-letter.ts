import type { StateDocument } from '../document/document.ts'
import type { NodeKind } from '../graph.ts'

export type StateType = StateDocument['type']

/** What a topology calls a kind of state (S0-28). N is for the n of annotation; `?` for a state that is not there. */
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

/** The kind of state a letter stands for; null for any other text. */
export function typeOfLetter(letter: string): StateType | null {
  return TYPES.find((type) => LETTER_OF_TYPE[type] === letter) ?? null
}

const TYPES: readonly StateType[] = ['action', 'decision', 'recall', 'annotation', 'reflection', 'side-effect']
