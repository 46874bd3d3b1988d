import type { SessionEvent } from '../chain/session-events.ts'
import type { Report, ReportQuality } from '../core/reply/report.ts'
import type { CommandEffect, Effect, SendEffect } from '../core/walk/event.ts'
import type { LogRecord } from '../core/walk/log-entry.ts'
import type { Walk } from '../core/walk/walk.ts'
import type { NewEvent } from '../wire/messages.ts'

/** A turn as stored. `lease` is when, in milliseconds since 1970, a runner that has not finished counts as dead. */
export interface StoredTurn {
  readonly id: number
  readonly attempt: number
  readonly status: 'running' | 'done' | 'failed'
  readonly cid: string
  readonly learner: string
  /** The page's information about itself. */
  readonly page: string | null
  readonly lease: number
  /** Its end was sent to the clients. False while the turn runs. */
  readonly isTold: boolean
}

/** The end of a turn. `walk` is the walk after it. */
export interface TurnEnd {
  readonly turn: number
  readonly attempt: number
  readonly status: 'done' | 'failed'
  readonly walk: Walk
  readonly events: readonly NewEvent[]
  readonly heard: { readonly report: Report; readonly quality: ReportQuality } | null
  /** The side effects that go out now that the turn is complete. */
  readonly sends: readonly SendEffect[]
  /** Its records for the interaction log. */
  readonly records: readonly LogRecord[]
}

/** The result of a pick in a pivot moment. */
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
  /** The events for the chain. */
  readonly events: readonly SessionEvent[]
  /** The conversation ended with it. */
  readonly isOver: boolean
  /** A copy may begin at this moment, so the walk is kept beside the log. */
  readonly isCopyable: boolean
}

/**
 * How far a turn has come, between two things it asks for. Plain data: written down, it lets whoever takes the turn up
 * go on from there, and the actor is not asked again for what it has answered.
 */
export interface TurnLoop {
  /** The shape of this record. A turn stored in another shape starts again from its message. */
  readonly v: 1
  readonly walk: Walk
  /** The request that the walk waits for; null when the walk is at rest. */
  readonly asked: AwaitedWork | null
  readonly commands: readonly CommandEffect[]
  readonly sends: readonly SendEffect[]
  readonly records: readonly LogRecord[]
  readonly spoken: SpokenReply | null
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** How often another runner has taken the turn up since the reply was spoken. */
  readonly resumed: number
}

/** Work that is waited for. */
export type AwaitedWork = Exclude<Effect, CommandEffect | SendEffect>

export interface Reply {
  readonly speech: string
  readonly report: Report
  readonly quality: ReportQuality
  /** Labels of the state it was spoken in. */
  readonly metadata: readonly string[]
}

/** The reply, once there is one. */
export interface SpokenReply extends Reply {
  readonly at: number
  /** Where in the records it belongs. */
  readonly place: number
}

/** Reads a stored one; null for one that this code does not know. */
export function readLoop(text: string | null): TurnLoop | null {
  if (text === null) return null
  const loop = JSON.parse(text) as TurnLoop
  return loop.v === 1 && loop.walk.v === 1 ? loop : null
}
