/** What was wrong with a reply. Names only: no text of the model or the learner is in an issue. */
export interface ReplyIssue {
  readonly kind: ReplyIssueKind
  /** How often it happened, from 1. */
  readonly count: number
}

export type ReplyIssueKind =
  /** Reasoning was opened and never closed: it stays hidden, and so does all that followed. */
  | 'reasoning-unclosed'
  /** A closing tag with no opening one: what stood before it may have been reasoning. */
  | 'reasoning-unopened'
  /** No separator came. */
  | 'separator-missing'
  /** More separators came after the first. */
  | 'separator-repeated'
  /** Something like a separator stood in the speech and was taken out. */
  | 'separator-removed'
  /** The separator had no nonce, though one was asked for. */
  | 'separator-plain'
  /** The reply ended inside a separator. */
  | 'separator-cut'
  /** A report stood before any speech. */
  | 'metadata-first'
  /** A report, or a part of one, stood in the speech and was taken out. */
  | 'metadata-in-speech'
  | 'metadata-missing'
  | 'metadata-too-long'
  /** A line that begins with a heading of the briefing was taken out. */
  | 'heading-removed'
  | 'speech-empty'
  | 'speech-too-long'
  /** What the report or the reasoning is made of came up in the speech; the speech ends before it. */
  | 'speech-cut'

export type NoteIssue = (kind: ReplyIssueKind) => void

/** Counts issues by kind, in the order they first came up. */
export function createIssueLog(): { note: NoteIssue; list(): readonly ReplyIssue[] } {
  const counts = new Map<ReplyIssueKind, number>()
  return {
    note: (kind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1),
    list: () => [...counts].map(([kind, count]) => ({ kind, count })),
  }
}
