import type { RelationshipLevel } from '../wire/messages.ts'

/**
 * The events that a conversation sends to the chain, in order. The transaction of a turn writes the turn's events in
 * the conversation's Durable Object, numbered from 1. The chain applies each event exactly once.
 */
export type SessionEvent = { readonly at: number } &
  /** The learner said something for the first time. */
  (
    | { readonly type: 'met' }
    /** The walk passed an annotation: a note that the graph's author wrote into a node. */
    | { readonly type: 'annotation'; readonly node: string; readonly text: string }
    /** The colleague told facts of the simulation for the first time. Each fact comes with the colleague's words. */
    | { readonly type: 'heard'; readonly facts: readonly HeardNow[] }
    /** The colleague's relationship to the learner changed. */
    | { readonly type: 'level'; readonly level: RelationshipLevel }
    | { readonly type: 'objective'; readonly objective: string; readonly title: string }
    /** The colleague handed the document over before the end. Only a simulation has this event. */
    | { readonly type: 'paper'; readonly paper: PaperContent }
    | {
        readonly type: 'ended'
        readonly completion: 'earned' | 'forced'
        /** The title of the document that the colleague handed over; null if they handed over no document. */
        readonly document: string | null
        /**
         * The content of the document that was handed over at the end, for the learner's notebook. Only a simulation
         * has such content.
         */
        readonly paper?: PaperContent | null | undefined
        readonly next: { readonly npc: string; readonly why: string } | null
      }
    /**
     * The learner was active. This event is sent at most once a day, because data that nobody uses is deleted
     * (`retain`), and the chain must know when the conversation was last used.
     */
    | { readonly type: 'seen' }
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
  /** The turn in which the colleague told the fact; null if the fact is in the document handed over. */
  readonly turn: number | null
}

export interface PaperContent {
  readonly title: string
  readonly kind: string
  readonly lines: readonly string[]
}
