/** What is worth remembering of a conversation. */
export interface Remembered {
  readonly memories: readonly NewMemory[]
  readonly facts: readonly NewFact[]
}

/** `said`: the learner's own words, letter for letter. `event`: what the walk knows to have happened. */
export interface NewMemory {
  readonly kind: 'said' | 'event'
  readonly content: string
  /** From 0 to 100. */
  readonly importance: number
}

/** Something that the learner said of themselves. */
export interface NewFact {
  readonly key: FactKey
  readonly value: string
  /** From 0 to 1. */
  readonly confidence: number
}

/** What can be held to be so of a learner by what they say. A closed list: nobody talks themselves into anything else. */
export const FACT_KEYS = ['name', 'role', 'team', 'experience', 'goal', 'preference'] as const

export type FactKey = (typeof FACT_KEYS)[number]

/** What is picked of a conversation: the learner's sentences that matter, and what they are evidence of. */
export interface Picked {
  /** Whole sentences of theirs. */
  readonly said: readonly string[]
  readonly facts: readonly { readonly key: FactKey; readonly value: string }[]
}

/** At most so many of each; and the characters of a sentence and of a value, in UTF-16 code units. */
export const MOST_SAID = 8
export const MOST_FACTS = 6
export const SENTENCE_CHARACTERS = 300
export const VALUE_CHARACTERS = 120
