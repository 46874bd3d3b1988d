import type { Command } from '../../wire/messages.ts'
import type { NodeBrief } from '../briefing/briefing.ts'
import type { NodeId, SideEffect } from '../graph/graph.ts'
import type { Report, ReportQuality } from '../reply/report.ts'
import type { Walk } from './walk.ts'

/**
 * An event that the walker can apply to a walk. `turnId` is the id of a turn. `seq` is the number of that turn's
 * exchange, which must be `walk.seq + 1`. `request` is the id of the request that the event answers.
 */
export type WalkEvent =
  | {
      readonly type: 'learner'
      readonly turnId: string
      readonly seq: number
      readonly hints?: MessageHints
      /** True for a question to a colleague whose conversation is over. */
      readonly isAfter?: true
    }
  | {
      readonly type: 'report'
      readonly turnId: string
      readonly seq: number
      readonly report: Report
      readonly quality: ReportQuality
    }
  | { readonly type: 'pivot-choice'; readonly node: NodeId; readonly choice: string }
  /** The learner takes back the goodbye that ended the conversation. */
  | { readonly type: 'resume' }
  /** `behavior` is the id of the matching behavior, or null if no behavior matches. */
  | { readonly type: 'behavior'; readonly turnId: string; readonly request: string; readonly behavior: string | null }
  /** `pick` is null if the actor gave no readable answer. */
  | { readonly type: 'selection'; readonly turnId: string; readonly request: string; readonly pick: Pick | null }
  | {
      readonly type: 'memories'
      readonly turnId: string
      readonly request: string
      readonly memories: readonly Recalled[]
    }
  | { readonly type: 'reflection'; readonly turnId: string; readonly request: string; readonly text: string }

/** What the words of a learner's message show. `readHints` reads them. */
export interface MessageHints {
  readonly goodbye: boolean
  readonly question: boolean
}

/** The actor's selection, as an index into the offered actions or exits. */
export type Pick = { readonly action: number } | { readonly exit: number }

/** A memory query and the memories found for it. */
export interface Recalled {
  readonly query: string
  readonly found: readonly string[]
}

/** The event of one type. */
export type EventOf<T extends WalkEvent['type']> = Extract<WalkEvent, { type: T }>

/** The result of a step: the next walk, the effects that the caller has to carry out, and the log entries. */
export interface Step {
  readonly walk: Walk
  readonly effects: readonly Effect[]
  readonly trace: readonly Trace[]
}

/**
 * Something that the caller of `step` has to carry out. At most one effect of a step is a request or a briefing; the
 * turn then waits for the answer or the reply.
 */
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

/**
 * An event or email for another system. The caller sends it only when the turn is complete. The id is unique in a
 * conversation.
 */
export interface SendEffect {
  readonly type: 'send'
  readonly id: string
  readonly node: NodeId
  readonly sideEffect: SideEffect
}

/** A request that the actor or the memory source has to answer before the walk can go on. */
export type Request =
  | {
      readonly type: 'behavior-request'
      readonly request: string
      readonly offered: readonly { readonly id: string; readonly triggers: readonly string[] }[]
      readonly active: string | null
    }
  | SelectionRequest
  | {
      readonly type: 'recall-request'
      readonly request: string
      readonly node: NodeId
      /** Null if the actor has to write the queries from `requested`. */
      readonly queries: readonly string[] | null
      readonly requested: string | null
      /** The queries asked before in this conversation. A repeated query would find the same memories. */
      readonly performed: readonly string[]
    }
  | {
      readonly type: 'reflection-request'
      readonly request: string
      readonly node: NodeId
      readonly problem: string
      readonly wordLimit: number
    }

/** Requests a selection: at a speaking node an action or an exit, at a decision node an exit. */
export interface SelectionRequest {
  readonly type: 'selection-request'
  readonly request: string
  readonly node: NodeBrief
  readonly actions: readonly string[]
  /** The exits' descriptions; a pick refers to an exit by its index. */
  readonly exits: readonly string[]
  /**
   * True if the walker repeats this request because the previous answer was missing, or named nothing that was offered.
   */
  readonly isRetry: boolean
}

/** The log entries of a step. A learner never sees them. */
export type Trace =
  | { readonly type: 'decision'; readonly decision: Decision }
  | { readonly type: 'ignored'; readonly event: WalkEvent['type']; readonly why: Ignored }
  | { readonly type: 'overreach'; readonly field: 'objective_complete' | 'is_conversation_complete' }
  | { readonly type: 'mood-mismatch' }
  | { readonly type: 'report-missing' }
  /** The next three entries are about a selection in a speaking node or a decision node. */
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

/**
 * One decision of the walker: the node it was made in, the next node (null at the end of the conversation), and why.
 */
export interface Decision {
  readonly from: NodeId
  readonly to: NodeId | null
  readonly reason: Reason
}

/** Why the pointer moved or stayed. `docs/reference/walker.md` has a rule for each reason. */
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
  | 'selected'
  /** The pointer left a silent node by its only exit. */
  | 'passed'
  | 'jumpback'
  | 'internal-loop'
  | 'migrated'
  | 'left'
  /** The learner answered a fork in words of their own. */
  | 'pivot-own'
  /** The walk stays in the fork, and the colleague asks the fork's question once more. */
  | 'pivot-asked'
  /**
   * The walk leaves the fork without an answer, because the colleague has asked often enough, or the fork was open long
   * enough.
   */
  | 'pivot-passed'
  /**
   * The pointer leaves the node in the turn in which it entered the node, because the turn's reply has served this node
   * too.
   */
  | 'went-on'
  | 'resumed'
  /** The count-based engine (`legacy.ts`) ended the walk because a report claimed that the conversation was over. */
  | 'reported'

type Ignored =
  | 'ended'
  | 'turn-open'
  | 'no-such-turn'
  | 'no-such-request'
  | 'out-of-order'
  | 'not-armed'
  | 'not-left'
  | 'not-here'
  | 'no-such-choice'

/**
 * The source of memories for recall nodes. The code that calls the walker decides what is searched, for example the
 * chain. The walk keeps the memories that were found.
 */
export interface MemorySource {
  /** Answers each query with the best-matching memories, best first, or with an empty list. */
  recall(queries: readonly string[]): Promise<readonly Recalled[]>
}

/** Puts `trace`, which has earlier log entries, in front of a step's own log entries. */
export function after(trace: readonly Trace[], step: Step): Step {
  return trace.length === 0 ? step : { ...step, trace: [...trace, ...step.trace] }
}

/** Returns a step for an ignored event: the walk is unchanged, and the log says why. */
export function ignored(walk: Walk, event: WalkEvent, why: Ignored): Step {
  return { walk, effects: [], trace: [{ type: 'ignored', event: event.type, why }] }
}
