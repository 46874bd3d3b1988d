import { type ToolCall, usedLine } from '../assistant/tools.ts'
import type { Brought } from '../briefing/brought.ts'
import type { NodeId, SideEffect } from '../graph/graph.ts'
import type { Reason, Trace } from './event.ts'

/** One log entry within a visit. Moves of the pointer are not entries; they separate the visits. */
export type LogEntry = EntryBase &
  (
    | {
        readonly kind: 'message'
        readonly who: 'learner' | 'npc'
        readonly text: string
        readonly metadata: readonly string[]
        /** The message's index among the messages of this visit, from 0. */
        readonly index: number
      }
    /** An author's annotation, or an actor's conclusion. */
    | { readonly kind: 'reasoning'; readonly of: 'annotation' | 'reflection'; readonly text: string }
    | { readonly kind: 'memory'; readonly query: string; readonly found: readonly string[] }
    /** What the learner brings from other colleagues, as the actor was told. */
    | { readonly kind: 'brought'; readonly brought: Brought }
    /** A tool that was used, as one line with what came of it. */
    | { readonly kind: 'used'; readonly text: string }
    | {
        readonly kind: 'behavior'
        readonly change: 'activated' | 'kept' | 'released'
        readonly activation: string
        /** Null if the log lacks the activation of this behavior. */
        readonly behavior: string | null
        readonly mode: 'merge' | 'overwrite' | null
      }
    | { readonly kind: 'action'; readonly action: number }
    | { readonly kind: 'exit'; readonly exit: string; readonly description: string }
    /** `to` is equal to `from` if the pointer stays in its node. `to` is null at the end of the conversation. */
    | { readonly kind: 'decision'; readonly from: NodeId; readonly to: NodeId | null; readonly reason: Reason }
    | { readonly kind: 'sent'; readonly id: string; readonly effect: SideEffect['type'] }
    | { readonly kind: 'remark'; readonly remark: Remark }
  )

/** The walker's remark on a report, an event or an answer that it could not use. */
type Remark = Extract<
  Trace,
  { type: 'ignored' | 'overreach' | 'mood-mismatch' | 'report-missing' | 'selection-refused' | 'call-refused' }
>

interface EntryBase {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly turn: string
}

/** The behavior and mode of each activation so far, by activation id. */
export type Activations = Map<string, { readonly behavior: string; readonly mode: 'merge' | 'overwrite' }>

interface EntryContext {
  readonly index: number
  readonly activations: Readonly<Activations>
}

/** Builds the log entry for a record; returns null for a record of a pointer move. */
export function entryOf({ at, turn, entry }: LogRecord, { index, activations }: EntryContext): LogEntry | null {
  switch (entry.type) {
    case 'message': {
      const { who, text, metadata } = entry
      return { at, turn, kind: 'message', who, text, metadata, index }
    }
    case 'brought':
      return { at, turn, kind: 'brought', brought: entry.brought }
    case 'used':
      return { at, turn, kind: 'used', text: usedLine(entry) }
    case 'thought': {
      const { thought } = entry
      if (thought.kind === 'recall') return { at, turn, kind: 'memory', query: thought.query, found: thought.found }
      return { at, turn, kind: 'reasoning', of: thought.kind, text: thought.text }
    }
    case 'behavior-activated': {
      const { activation, behavior, mode } = entry
      return { at, turn, kind: 'behavior', change: 'activated', activation, behavior, mode }
    }
    case 'behavior-kept':
      return { at, turn, kind: 'behavior', change: 'kept', ...activated(activations, entry.activation) }
    case 'behavior-released':
      return { at, turn, kind: 'behavior', change: 'released', ...activated(activations, entry.activation) }
    case 'action-selected':
      return { at, turn, kind: 'action', action: entry.action }
    case 'exit-selected':
      return { at, turn, kind: 'exit', exit: entry.exit, description: entry.description }
    case 'decision':
      return { at, turn, kind: 'decision', ...entry.decision }
    case 'sent':
      return { at, turn, kind: 'sent', id: entry.id, effect: entry.kind }
    case 'moved':
    case 'called':
    case 'jumpback':
    case 'internal-loop':
    case 'migrated':
      return null
    case 'ignored':
    case 'overreach':
    case 'mood-mismatch':
    case 'report-missing':
    case 'selection-refused':
    case 'call-refused':
      return { at, turn, kind: 'remark', remark: entry }
  }
}

export function isMessage(entry: LogEntry): entry is LogEntry & { readonly kind: 'message' } {
  return entry.kind === 'message'
}

function activated(activations: Readonly<Activations>, activation: string) {
  const { behavior = null, mode = null } = activations.get(activation) ?? {}
  return { activation, behavior, mode }
}

/**
 * One stored record of a conversation. A turn that failed leaves no records; a turn that the learner stopped leaves
 * only its messages.
 */
export interface LogRecord {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly turn: string
  readonly entry: Trace | MessageRecord | BroughtRecord | UsedRecord
}

/** A tool that was used for a reply in a state of a context graph. */
export type UsedRecord = { readonly type: 'used' } & Pick<ToolCall, 'tool' | 'input' | 'status' | 'result'>

interface BroughtRecord {
  readonly type: 'brought'
  readonly brought: Brought
}

export interface MessageRecord {
  readonly type: 'message'
  readonly who: 'learner' | 'npc'
  readonly text: string
  /** The author's labels (`message_metadata`) of the state in which the message was spoken. */
  readonly metadata: readonly string[]
}
