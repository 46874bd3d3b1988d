/** All that an actor was given this turn and that it may repeat. Nothing copied from there counts as its own. */
export interface Outside {
  /** Written by somebody outside: the learner's messages, the page, what is remembered of them. */
  readonly theirs: readonly string[]
  /** Written on the colleague's side: earlier replies, points made, notes, documents, names. */
  readonly ours: readonly string[]
}

export const NOTHING_OUTSIDE: Outside = { theirs: [], ours: [] }

/** Every text of them. */
export function everything({ theirs, ours }: Outside): readonly string[] {
  return [...theirs, ...ours]
}
