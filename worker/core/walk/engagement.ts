/** An exchange moves the relationship by -2 to 2, whatever a report says; by nothing, if that is no number ([walk-10]). */
export function clampEngagement(score: number): number {
  return Number.isFinite(score) ? Math.max(-2, Math.min(2, score)) : 0
}
