import type { Command } from '../../wire/messages.ts'
import type { NodeBrief } from '../briefing/briefing.ts'
import type { NodeId } from '../graph/graph.ts'
import type { Report, ReportQuality } from '../reply/report.ts'
import type { Walk } from './walk.ts'

/** What can happen to a walk. `turnId` names a turn; `seq` is the exchange it will be, `walk.seq + 1`. */
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
  | { readonly type: 'abort'; readonly turnId: string }

/** What a step leaves to be done and told. Nothing in here has happened yet. */
export interface Step {
  readonly walk: Walk
  readonly effects: readonly Effect[]
  readonly trace: readonly Trace[]
}

export type Effect =
  | { readonly type: 'brief'; readonly node: NodeBrief }
  | { readonly type: 'command'; readonly id: string; readonly command: Command }

export type Trace =
  | { readonly type: 'decision'; readonly decision: Decision }
  | { readonly type: 'ignored'; readonly event: WalkEvent['type']; readonly why: Ignored }
  | { readonly type: 'overreach'; readonly field: 'objective_complete' | 'is_conversation_complete' }
  | { readonly type: 'mood-mismatch' }
  | { readonly type: 'report-missing' }

/** One decision of the walker: from where, to where (null: the end), and why. */
export interface Decision {
  readonly from: NodeId
  readonly to: NodeId | null
  readonly reason: Reason
}

/** Why the pointer moved or stayed. Each is a rule in `docs/walker.md`. */
export type Reason =
  | 'satisfied'
  | 'max-turns'
  | 'no-self-loop'
  | 'backstop'
  | 'pivot-choice'
  | 'pivot-timeout'
  | 'pivot-armed'
  | 'pivot-open'
  | 'gate-hold'
  | 'detour-grace'
  | 'dwell'

/** Why an event changed nothing. */
export type Ignored =
  | 'ended'
  | 'turn-open'
  | 'no-such-turn'
  | 'out-of-order'
  | 'not-armed'
  | 'not-here'
  | 'no-such-choice'
