/** What an author tells whoever speaks in a state (S0-21). Global ones are injected into every action state. */
export interface Guidelines {
  /** How to choose among actions and exits. */
  readonly navigation: readonly string[]
  /** How to do what was chosen. */
  readonly action: readonly string[]
  readonly boundary: readonly Boundary[]
}

export interface Boundary {
  readonly text: string
  /** No behavior can take it away (B0-12). */
  readonly isHard: boolean
}

export const NO_GUIDELINES: Guidelines = { navigation: [], action: [], boundary: [] }
