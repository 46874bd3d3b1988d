import type { SessionEvent } from '../chain/session-events.ts'
import type { AgentWork } from '../core/assistant/read-work.ts'
import type { Brought } from '../core/briefing/brought.ts'
import type { Report, ReportQuality } from '../core/reply/report.ts'
import type { CommandEffect, Effect, SendEffect, Trace } from '../core/walk/event.ts'
import type { LogRecord } from '../core/walk/log-entry.ts'
import type { Walk } from '../core/walk/walk.ts'
import type { AssistedEnd } from './assistant/assisted-end.ts'
import type { NewEvent } from '../wire/messages.ts'

/**
 * A stored turn. `lease` is the time, in milliseconds since 1970, when a runner that has not finished counts as dead.
 */
export interface StoredTurn {
  readonly id: number
  readonly attempt: number
  readonly status: 'running' | 'done' | 'failed'
  readonly cid: string
  readonly learner: string
  /** What the embedding page said about itself (`data-page`); null if the page said nothing. */
  readonly page: string | null
  /** For an assistant: the hash of the page with which the message was sent; null if the page says nothing. */
  readonly context?: string | null
  readonly lease: number
  /** True if the turn's end was sent to the clients. False while the turn runs. */
  readonly isTold: boolean
}

/**
 * The end of a turn. `walk` is the walk after the turn. `heard` is the reply's report; null for a turn that failed or
 * was stopped.
 */
export interface TurnEnd {
  readonly turn: number
  readonly attempt: number
  readonly status: 'done' | 'failed'
  readonly walk: Walk
  readonly events: readonly NewEvent[]
  readonly heard: { readonly report: Report; readonly quality: ReportQuality } | null
  /** The side effects to send now that the turn is complete. */
  readonly sends: readonly SendEffect[]
  readonly records: readonly LogRecord[]
  /** For an assistant: what the turn leaves behind besides its events. */
  readonly assisted?: AssistedEnd
}

/** A walk that goes on because the learner took a goodbye back. */
export interface ResumedWalk {
  readonly walk: Walk
  readonly sends: readonly SendEffect[]
  readonly trace: readonly Trace[]
}

/** The result of a pick at a fork. */
export interface ChoiceEnd {
  readonly cid: string
  readonly turn: number
  readonly walk: Walk
  readonly events: readonly NewEvent[]
  readonly sends: readonly SendEffect[]
  readonly records: readonly LogRecord[]
}

/** The part of a turn's end, or of a choice, that concerns the conversation's run. */
export interface RunShare {
  readonly events: readonly SessionEvent[]
  /** True if the conversation ended with this turn or choice. */
  readonly isOver: boolean
  /**
   * True if a copy of the conversation may end after this turn or choice. The walk is then stored with the last event
   * of that turn or choice.
   */
  readonly isCopyable: boolean
}

/**
 * The progress of a turn, between two requests of its walk. The progress is plain data. Another runner can continue the
 * turn from stored progress, without repeating the requests that were answered.
 */
export interface TurnLoop {
  /**
   * The version of this record's shape. A turn whose progress is stored in another version starts again from its
   * message.
   */
  readonly v: 1
  readonly walk: Walk
  /** The request that the walk waits for; null when the walk is at rest. */
  readonly asked: AwaitedWork | null
  readonly commands: readonly CommandEffect[]
  readonly sends: readonly SendEffect[]
  readonly records: readonly LogRecord[]
  readonly spoken: SpokenReply | null
  /** When the turn began, in milliseconds since 1970. */
  readonly startedAt: number
  /** How often another runner has resumed the turn since the reply was spoken. */
  readonly resumed: number
}

/** Work that a walk waits for. */
export type AwaitedWork = Exclude<Effect, CommandEffect | SendEffect>

export interface Reply {
  readonly speech: string
  readonly report: Report
  readonly quality: ReportQuality
  /** Texts that the learner may want to send next; missing if there are none. */
  readonly offers?: readonly string[]
  /** The author's labels of the node in which the reply was spoken. */
  readonly metadata: readonly string[]
  /** What the actor was told about the learner's conversations with other colleagues. */
  readonly brought?: Brought
  /** For an agent of an assistant: what it reported beside its speech. */
  readonly work?: AgentWork
}

/** The reply of a turn, with its time and its place among the turn's records. */
export interface SpokenReply extends Reply {
  readonly at: number
  /** The index at which the reply is inserted into the records. */
  readonly place: number
}

/**
 * Parses the stored progress of a turn. Returns null if nothing is stored, or if the progress has a shape that this
 * code does not know.
 */
export function readLoop(text: string | null): TurnLoop | null {
  if (text === null) return null
  const loop = JSON.parse(text) as TurnLoop
  return loop.v === 1 && loop.walk.v === 1 ? loop : null
}
