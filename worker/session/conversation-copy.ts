/** A moment of a conversation up to which it can be copied. */
export type CopyMoment =
  /** The end of the turn that first showed the learner the fork with this id. */
  | { readonly pivot: string }
  /** The end of the turn with this number. */
  | { readonly turn: number }
  /** A time in milliseconds since 1970. The copy ends with the last turn or choice at or before that time. */
  | { readonly at: number }
  /** The number of the last event of a turn or a choice; 0 for the moment before anything was said. */
  | { readonly seq: number }

/**
 * A conversation as it was at a moment, as plain data. Another conversation can begin from the copy ([again-2]). A copy
 * contains no running turn.
 */
export interface ConversationCopy {
  /** The number of the last event in the copy. */
  readonly seq: number
  /**
   * The time of the last event, in milliseconds since 1970; the time of the conversation's beginning if the copy has no
   * event.
   */
  readonly at: number
  /** The `SessionInfo` of the conversation at the moment where the copy ends, as JSON. */
  readonly info: string
  /**
   * The walk at the moment where the copy ends, as JSON; for an assistant its record. Null if the copy ends before anything
   * was said.
   */
  readonly walk: string | null
  readonly events: readonly CopiedEvent[]
  readonly turns: readonly CopiedTurn[]
  readonly records: readonly CopiedRecords[]
  /** For an assistant: the page that the last turn names, by its hash. */
  readonly page?: CopiedPage
  /** Each `SessionInfo` that a migration has replaced, and the number of the last event before that migration. */
  readonly earlier: readonly { readonly seq: number; readonly info: string }[]
}

/**
 * The result of a request for a copy. Null: the conversation has no such moment. `not-kept`: the conversation may not
 * be copied, because it was revoked or its earlier walks are not stored (see `canCopy`).
 */
export type CopyResult = ConversationCopy | 'not-kept' | null

export interface CopiedPage {
  readonly hash: string
  readonly body: string
}

export interface CopiedEvent {
  readonly seq: number
  readonly at: number
  readonly body: string
  readonly walk: string | null
}

/**
 * A turn as it had ended at the moment where the copy ends. If that turn had failed, the original conversation may have
 * retried it later.
 */
export interface CopiedTurn {
  readonly id: number
  readonly attempt: number
  readonly status: 'done' | 'failed'
  readonly cid: string
  readonly learner: string
  readonly page: string | null
  readonly context?: string | null
  readonly lease: number
  readonly report: string | null
  readonly quality: string | null
}

export interface CopiedRecords {
  readonly seq: number
  readonly body: string
}
