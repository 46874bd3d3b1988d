/** The first of the highest scores, and how far it is ahead of the next. */
export interface Best {
  readonly index: number
  readonly score: number
  readonly lead: number
}

export function bestOf(scores: readonly number[]): Best | null {
  const index = scores.reduce((top, score, at) => (score > (scores[top] ?? 0) ? at : top), 0)
  const score = scores[index]
  if (score === undefined) return null
  const others = scores.filter((_, at) => at !== index)
  return { index, score, lead: score - Math.max(0, ...others) }
}
