/** A moment of a conversation that can be gone back to. */
export type CopyMoment =
  /** When this pivot moment was put to the learner for the first time. */
  | { readonly pivot: string }
  /** As it stood at a time, in milliseconds since 1970: at the end of the last turn or choice before. */
  | { readonly at: number }
  /** When the log was at this event, which ended a turn or was a choice; 0: before anything was said. */
  | { readonly seq: number }

/**
 * A conversation as it stood at a moment, as plain data, the texts being as they are stored: what another one can begin with
 * ([again-2]). No turn of it is under way.
 */
export interface ConversationCopy {
  /** The number of its last event. */
  readonly seq: number
  /** The time of that, or of its beginning where nothing was said. In milliseconds since 1970. */
  readonly at: number
  /** The `SessionInfo` it was pinned to then, as JSON. */
  readonly info: string
  /** Its walk then, as JSON; null at the beginning. */
  readonly walk: string | null
  readonly events: readonly CopiedEvent[]
  readonly turns: readonly CopiedTurn[]
  readonly records: readonly CopiedRecords[]
  /** Each `SessionInfo` it was pinned to before a migration, and the `seq` up to which it was. */
  readonly earlier: readonly { readonly seq: number; readonly info: string }[]
}

/** The answer to asking for a copy. Null: there is no such moment. `not-kept`: no copy may be made of this conversation. */
export type CopyResult = ConversationCopy | 'not-kept' | null

export interface CopiedEvent {
  readonly seq: number
  readonly at: number
  readonly body: string
  readonly walk: string | null
}

/** A turn as it had ended by then: one that failed may have been tried again since. */
export interface CopiedTurn {
  readonly id: number
  readonly attempt: number
  readonly status: 'done' | 'failed'
  readonly cid: string
  readonly learner: string
  readonly page: string | null
  readonly lease: number
  readonly report: string | null
  readonly quality: string | null
}

export interface CopiedRecords {
  readonly seq: number
  readonly body: string
}
