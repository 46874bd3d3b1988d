import type { Guidelines } from './guidelines.ts'

/**
 * A dynamic behavior set: instructions that join a state's own, or take their place, while the conversation is about
 * something its author foresaw (S0-3). The graph itself stays as it is, and so do its exits.
 */
export interface BehaviorSet {
  readonly id: string
  readonly version: number
  /** What a conversation is about when this applies, in natural language; 1 to 50. */
  readonly triggers: readonly string[]
  readonly mode: 'merge' | 'overwrite'
  readonly guidelines: Guidelines
}
