import type { BoundContent, Closing, Graph, NodeId, Overlay } from '../graph/graph.ts'
import type { Guard } from '../graph/guard.ts'
import type { Policy } from '../graph/policy.ts'
import type { RehearsalLines } from '../scenario/rehearsal-lines.ts'
import type { Npc, PivotContent, Scenario } from '../scenario/scenario.ts'
import type { OpenTurn, Walk } from './walk.ts'

// The first shapes that were stored. They are what `upgrade.ts` reads and nothing writes any more, so they only change
// where a type they borrow from does.

export type WalkV1 = Pick<
  Walk,
  | 'graph'
  | 'seq'
  | 'node'
  | 'turns'
  | 'graceUsed'
  | 'stall'
  | 'visits'
  | 'satisfied'
  | 'forced'
  | 'overlays'
  | 'pivots'
  | 'relationship'
  | 'emitted'
  | 'end'
> & {
  readonly v: 1
  readonly engine: 'graph'
  readonly open: Pick<OpenTurn, 'turnId' | 'overlay'> | null
}

/** A graph without `ir`: every node speaks and has its two ways out by name. */
export interface GraphV1 extends Pick<Graph, 'id' | 'version' | 'hash' | 'entry' | 'terminal' | 'order'> {
  readonly policy: Omit<Policy, 'exchangeLimit' | 'inside'>
  readonly nodes: Readonly<Record<NodeId, NodeV1>>
  readonly closing: Closing
}

export type NodeV1 = NodeBaseV1 &
  ({ readonly kind: 'speak' } | { readonly kind: 'pivot'; readonly pivot: PivotContent })

interface NodeBaseV1 {
  readonly id: NodeId
  readonly intent: string
  readonly satisfyWhen: string
  readonly content: readonly BoundContent[]
  readonly minTurns: number
  readonly maxTurns: number
  readonly isGate: boolean
  readonly advance: NodeId | null
  readonly selfLoop: boolean
  readonly branch: { readonly to: NodeId; readonly when: Guard } | null
  readonly overlay: Overlay | null
}

export type ScenarioV1 = Omit<Scenario, 'npcs'> & { readonly npcs: readonly NpcV1[] }

export type NpcV1 = Omit<Npc, 'walk' | 'depth' | 'challenges' | 'rehearsal'> & {
  readonly rehearsal: Omit<RehearsalLines, 'states'>
}
