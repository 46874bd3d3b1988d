/** What an author tells whoever speaks in a state. Global ones are injected into every action state. */
export interface Guidelines {
  /** How to choose among actions and exits. */
  readonly navigation: readonly string[]
  /** How to do what was chosen. */
  readonly action: readonly string[]
  readonly boundary: readonly Boundary[]
}

export interface Boundary {
  readonly text: string
  /** No behavior can take it away. */
  readonly isHard: boolean
}

export const NO_GUIDELINES: Guidelines = { navigation: [], action: [], boundary: [] }

/**
 * A dynamic behavior set: instructions that join a state's own, or take their place, while the conversation is about
 * something its author foresaw. The graph itself stays as it is, and so do its exits.
 */
export interface BehaviorSet {
  readonly id: string
  readonly version: number
  /** What a conversation is about when this applies, in natural language; 1 to 50. */
  readonly triggers: readonly string[]
  readonly mode: 'merge' | 'overwrite'
  readonly guidelines: Guidelines
}
