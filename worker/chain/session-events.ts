import type { RelationshipLevel } from '../wire/messages.ts'

/**
 * What a conversation brings into the chain, in the order in which it happened. Each is written down in the conversation's
 * object in the transaction that brought it about, numbered from 1, and applied to the chain exactly once.
 */
export type SessionEvent = { readonly at: number } &
  /** The learner said their first words. */
  (
    | { readonly type: 'met' }
    /** An annotation was crossed. */
    | { readonly type: 'annotation'; readonly node: string; readonly text: string }
    /** Facts of the simulation that its colleague has told for the first time, and in which words. */
    | { readonly type: 'heard'; readonly facts: readonly HeardNow[] }
    /** Where the colleague stands towards the learner now. */
    | { readonly type: 'level'; readonly level: RelationshipLevel }
    | { readonly type: 'objective'; readonly objective: string; readonly title: string }
    | {
        readonly type: 'ended'
        readonly completion: 'earned' | 'forced'
        /** The title of what was handed over. */
        readonly document: string | null
        /** That itself, for the learner's notebook. Only in a simulation. */
        readonly paper?: PaperContent | null | undefined
        readonly next: { readonly npc: string; readonly why: string } | null
      }
    /** Somebody was there. Told at most once a day, so that what is kept by age goes by when it was last used. */
    | { readonly type: 'seen' }
    /** What is worth remembering of it. */
    | {
        readonly type: 'remembered'
        readonly memories: readonly {
          readonly kind: 'said' | 'event'
          readonly content: string
          readonly importance: number
        }[]
        readonly facts: readonly { readonly key: string; readonly value: string; readonly confidence: number }[]
      }
  )

export interface HeardNow {
  readonly fact: string
  readonly said: string
  /** The turn in which it was said; null: it stands in what was handed over. */
  readonly turn: number | null
}

export interface PaperContent {
  readonly title: string
  readonly kind: string
  readonly lines: readonly string[]
}
