import type { Command } from '../../wire/messages.ts'
import type { NodeBrief } from '../briefing/briefing.ts'
import type { NodeId, SideEffect } from '../graph/graph.ts'
import type { Report, ReportQuality } from '../reply/report.ts'
import type { Walk } from './walk.ts'

/**
 * What can happen to a walk. `turnId` names a turn; `seq` is the exchange it will be, `walk.seq + 1`. `request` names
 * the request an answer is to.
 */
export type WalkEvent =
  | { readonly type: 'learner'; readonly turnId: string; readonly seq: number }
  | {
      readonly type: 'report'
      readonly turnId: string
      readonly seq: number
      readonly report: Report
      readonly quality: ReportQuality
    }
  | { readonly type: 'pivot-choice'; readonly node: NodeId; readonly choice: string }
  /** A behavior's id, or null when none applies. */
  | { readonly type: 'behavior'; readonly turnId: string; readonly request: string; readonly behavior: string | null }
  /** Null when the actor gave no readable answer. */
  | { readonly type: 'selection'; readonly turnId: string; readonly request: string; readonly pick: Pick | null }
  | {
      readonly type: 'memories'
      readonly turnId: string
      readonly request: string
      readonly memories: readonly Recalled[]
    }
  | { readonly type: 'reflection'; readonly turnId: string; readonly request: string; readonly text: string }

/** The selection, as an index into the offer. */
export type Pick = { readonly action: number } | { readonly exit: number }

/** A query and what was found for it. */
export interface Recalled {
  readonly query: string
  readonly found: readonly string[]
}

/** The result of a step: the next walk, and effects that the caller has to carry out. */
export interface Step {
  readonly walk: Walk
  readonly effects: readonly Effect[]
  readonly trace: readonly Trace[]
}

/** At most one effect of a step is a request or a briefing; the turn waits for its answer. */
export type Effect = Request | BriefEffect | CommandEffect | SendEffect

interface BriefEffect {
  readonly type: 'brief'
  readonly node: NodeBrief
}

export interface CommandEffect {
  readonly type: 'command'
  readonly id: string
  readonly command: Command
}

/** Something for the world outside. Given out only when its turn is complete; the id never repeats in a conversation. */
export interface SendEffect {
  readonly type: 'send'
  readonly id: string
  readonly node: NodeId
  readonly sideEffect: SideEffect
}

/** Work that a walk asks for before it can go on. */
export type Request =
  | {
      readonly type: 'behavior-request'
      readonly request: string
      readonly offered: readonly { readonly id: string; readonly triggers: readonly string[] }[]
      /** The one that is active now. */
      readonly active: string | null
    }
  | SelectionRequest
  | {
      readonly type: 'recall-request'
      readonly request: string
      readonly node: NodeId
      /** Null: write them, for what is requested. */
      readonly queries: readonly string[] | null
      readonly requested: string | null
      /** Asked before in this conversation; asking again would find the same. */
      readonly performed: readonly string[]
    }
  | {
      readonly type: 'reflection-request'
      readonly request: string
      readonly node: NodeId
      readonly problem: string
      readonly wordLimit: number
    }

/** Asks for one of what is offered: at a speaking node an action or an exit, at a decision an exit. */
export interface SelectionRequest {
  readonly type: 'selection-request'
  readonly request: string
  readonly node: NodeBrief
  readonly actions: readonly string[]
  /** Descriptions, in the order of their indexes. */
  readonly exits: readonly string[]
  /** The answer before this one could not be taken. */
  readonly isRetry: boolean
}

/** The entries of the log for a step. A learner never sees them. */
export type Trace =
  | { readonly type: 'decision'; readonly decision: Decision }
  | { readonly type: 'ignored'; readonly event: WalkEvent['type']; readonly why: Ignored }
  | { readonly type: 'overreach'; readonly field: 'objective_complete' | 'is_conversation_complete' }
  | { readonly type: 'mood-mismatch' }
  | { readonly type: 'report-missing' }
  /** A selection in a speaking node or a decision. */
  | { readonly type: 'action-selected'; readonly node: NodeId; readonly action: number }
  | { readonly type: 'exit-selected'; readonly node: NodeId; readonly exit: string; readonly description: string }
  | { readonly type: 'selection-refused'; readonly node: NodeId }
  | { readonly type: 'moved'; readonly from: NodeId; readonly to: NodeId; readonly reason: Reason }
  | { readonly type: 'called'; readonly from: NodeId; readonly to: NodeId; readonly returnTo: NodeId }
  | { readonly type: 'jumpback'; readonly from: NodeId; readonly to: NodeId }
  | { readonly type: 'call-refused'; readonly node: NodeId; readonly why: 'depth' }
  | { readonly type: 'thought'; readonly thought: Thought }
  | { readonly type: 'sent'; readonly id: string; readonly node: NodeId; readonly kind: SideEffect['type'] }
  | {
      readonly type: 'behavior-activated'
      readonly activation: string
      readonly behavior: string
      readonly mode: 'merge' | 'overwrite'
    }
  | { readonly type: 'behavior-kept'; readonly activation: string }
  | { readonly type: 'behavior-released'; readonly activation: string }
  | { readonly type: 'internal-loop'; readonly node: NodeId }
  | { readonly type: 'migrated'; readonly from: NodeId; readonly to: NodeId; readonly version: number }

/** A note, conclusion or memory that the actor keeps in mind and the learner never sees. */
export type Thought =
  | { readonly kind: 'annotation'; readonly node: NodeId; readonly text: string }
  | { readonly kind: 'reflection'; readonly node: NodeId; readonly text: string }
  | { readonly kind: 'recall'; readonly node: NodeId; readonly query: string; readonly found: readonly string[] }

/** One decision of the walker: from where, to where (null: the end), and why. */
export interface Decision {
  readonly from: NodeId
  readonly to: NodeId | null
  readonly reason: Reason
}

/** Why the pointer moved or stayed. Each is a rule in `docs/reference/walker.md`. */
export type Reason =
  | 'satisfied'
  | 'max-turns'
  | 'no-self-loop'
  | 'backstop'
  | 'exchange-limit'
  | 'pivot-choice'
  | 'pivot-timeout'
  | 'pivot-armed'
  | 'pivot-open'
  | 'gate-hold'
  | 'detour-grace'
  | 'dwell'
  /** Chosen among what was declared. */
  | 'selected'
  /** A silent node's only way on. */
  | 'passed'
  | 'jumpback'
  | 'internal-loop'
  | 'migrated'
  /** The count-based engine took a report's word that it was over. */
  | 'reported'

/** Why an event changed nothing. */
type Ignored =
  | 'ended'
  | 'turn-open'
  | 'no-such-turn'
  | 'no-such-request'
  | 'out-of-order'
  | 'not-armed'
  | 'not-here'
  | 'no-such-choice'

/** Where a walk's recalls look. What can be found there is the host's business; the walk keeps what was found. */
export interface MemorySource {
  /** Answers each query with the most fitting memories, best first; none found is an empty list. */
  recall(queries: readonly string[]): Promise<readonly Recalled[]>
}

/** A step with what the log keeps of what came before it. */
export function after(trace: readonly Trace[], step: Step): Step {
  return trace.length === 0 ? step : { ...step, trace: [...trace, ...step.trace] }
}

/** An event that changed nothing, and why. */
export function ignored(walk: Walk, event: WalkEvent, why: Ignored): Step {
  return { walk, effects: [], trace: [{ type: 'ignored', event: event.type, why }] }
}
