import type { NodeKind } from '../graph/graph.ts'
import type { Npc, Scenario } from '../scenario/scenario.ts'
import type { InteractionLog, StateVisit } from '../walk/interaction-log.ts'
import type { LogEntry } from '../walk/log-entry.ts'
import type { LogEvent } from '../../wire/messages.ts'
import type { WalkStep } from '../../wire/run.ts'

/** The part of a scenario that a debrief needs. */
export interface DebriefScenario extends Pick<Scenario, 'version' | 'decision' | 'simulation'> {
  readonly npcs: readonly Pick<Npc, 'id' | 'beats' | 'opinion'>[]
}

/** The data of a conversation that a debrief needs. */
export interface Account {
  readonly npc: string
  /** The scenario version that the conversation is pinned to. */
  readonly scenario: DebriefScenario
  readonly events: readonly LogEvent[]
  /** The engagement score of each turn that was answered in full, from -2 to 2. */
  readonly engagement: readonly { readonly turn: number; readonly score: number }[]
  readonly walk: readonly WalkStep[]
  /** Whether the learner can begin a new run at a fork of this conversation. */
  readonly again: boolean
}

export function debriefScenarioOf({ version, decision, simulation, npcs }: Scenario): DebriefScenario {
  return { version, decision, simulation, npcs: npcs.map(({ id, beats, opinion }) => ({ id, beats, opinion })) }
}

/**
 * Lists every node that the walk visited, with the reason for each step out of it. A node's turns are the turns that
 * were answered in this node. The turn of a silent node is the turn that passed it. Turn 0 stands for the time before
 * the first turn.
 */
export function walkSteps({ past, current }: InteractionLog): WalkStep[] {
  const visits = [...past, current]
  const strip: WalkStep[] = []
  for (const [place, visit] of visits.entries()) {
    const turns = turnsOf(visit)
    const before = strip.at(-1)?.to ?? 0
    strip.push({
      node: visit.node,
      kind: shownAs(visit.kind),
      from: turns[0] ?? before,
      to: turns.at(-1) ?? before,
      reason: visits[place + 1]?.enteredBy?.reason ?? endOf(visit),
    })
  }
  return strip
}

/**
 * Returns the kind of node for the debrief. A node that the current graph no longer has is shown as a speaking node,
 * which it most likely was.
 */
function shownAs(kind: NodeKind | null): WalkStep['kind'] {
  if (kind === null) return 'speak'
  return kind === 'speak' || kind === 'pivot' ? kind : 'silent'
}

/**
 * Returns the turns of a visit, in order. A message that was answered in another node counts only as a turn of that
 * other node.
 */
function turnsOf(visit: StateVisit): readonly number[] {
  const entries = untilEnd(visit)
  const answered = entries.filter(isAnswer).flatMap(turnOf)
  return answered.length > 0 ? answered : entries.filter(({ kind }) => kind !== 'message').flatMap(turnOf)
}

/** Returns the entries of a visit without the questions after the end of the conversation. */
function untilEnd({ entries }: StateVisit): readonly LogEntry[] {
  const last = entries.findLastIndex(({ kind }) => kind === 'decision')
  const decision = entries[last]
  return decision?.kind === 'decision' && decision.to === null ? entries.slice(0, last + 1) : entries
}

function isAnswer(entry: LogEntry): boolean {
  return entry.kind === 'decision' || (entry.kind === 'message' && entry.who === 'npc')
}

/** Returns the turn number of an entry. Choices and migrations have no turn number. */
function turnOf({ turn }: LogEntry): readonly number[] {
  return /^\d+$/.test(turn) ? [Number(turn)] : []
}

function endOf({ entries }: StateVisit): string | null {
  const last = entries.findLast((entry) => entry.kind === 'decision')
  return last?.to === null ? last.reason : null
}
