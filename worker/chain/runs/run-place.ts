/** Where in the chain a conversation stands. */
export interface RunPlace {
  /** The run: the root of its workflow. */
  readonly id: string
  /** The conversation's own context. */
  readonly context: string
}
