import type { LogEvent } from '../../wire/messages.ts'
import type { WalkStep } from '../../wire/run.ts'
import type { Npc, Scenario } from '../scenario/scenario.ts'

/** As much of a scenario as a debrief tells of. */
export interface Told extends Pick<Scenario, 'version' | 'decision' | 'simulation'> {
  readonly npcs: readonly Pick<Npc, 'id' | 'beats' | 'opinion'>[]
}

/** How a conversation went, as far as a debrief needs it. Plain data, and nothing but reading makes it. */
export interface Account {
  readonly npc: string
  /** Of what the conversation is pinned to. */
  readonly scenario: Told
  /** The log, as the learner saw it. */
  readonly events: readonly LogEvent[]
  /** What each turn that was answered whole was found to be worth, from -2 to 2. */
  readonly engagement: readonly { readonly turn: number; readonly score: number }[]
  /** Every node that was stood in. */
  readonly walk: readonly WalkStep[]
  /** Whether a new run can begin at its pivots. */
  readonly again: boolean
}

export function toldOf({ version, decision, simulation, npcs }: Scenario): Told {
  return { version, decision, simulation, npcs: npcs.map(({ id, beats, opinion }) => ({ id, beats, opinion })) }
}
