/**
 * What an actor returns after the separator (S3-41). The names are the contract's own, since the same object is
 * read from and written to JSON. Only `node_satisfied`, `detour_detected` and `engagement_score` are ever used by
 * the walker; the rest is telemetry.
 */
export interface Report {
  readonly emotional_state: string
  readonly information_revealed: readonly string[]
  readonly internal_thought: string
  readonly objective_complete: string | null
  readonly is_conversation_complete: boolean
  readonly hint_given: boolean
  readonly agreement_signal: string
  /** Whole number from -2 to 2. */
  readonly engagement_score: number
  readonly node_satisfied: boolean
  readonly detour_detected: boolean
}

/**
 * How much work it took to read a report; the worse, the less the model kept to its contract. `echoed`: it was copied
 * from what the model was given, and is refused.
 */
export type ReportQuality = 'clean' | 'coerced' | 'repaired' | 'salvaged' | 'missing' | 'echoed'

/** What is assumed when nothing can be read: no progress, no opinion. */
export const EMPTY_REPORT: Report = {
  emotional_state: '',
  information_revealed: [],
  internal_thought: '',
  objective_complete: null,
  is_conversation_complete: false,
  hint_given: false,
  agreement_signal: 'neutral',
  engagement_score: 0,
  node_satisfied: false,
  detour_detected: false,
}
