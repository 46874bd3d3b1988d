import type { Trace } from './event.ts'

/** Something that was stored of a conversation. Turns that were taken back leave none. */
export interface LogRecord {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly turn: string
  readonly entry: Trace | MessageRecord
}

export interface MessageRecord {
  readonly type: 'message'
  readonly who: 'learner' | 'npc'
  readonly text: string
  /** The labels of the state it was spoken in. */
  readonly metadata: readonly string[]
}
