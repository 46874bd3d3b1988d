import type { NodeKind } from '../graph/graph.ts'
import type { Npc, Scenario } from '../scenario/scenario.ts'
import type { InteractionLog, StateVisit } from '../walk/interaction-log.ts'
import type { LogEntry } from '../walk/log-entry.ts'
import type { LogEvent } from '../../wire/messages.ts'
import type { WalkStep } from '../../wire/run.ts'

/** As much of a scenario as a debrief tells of. */
export interface DebriefScenario extends Pick<Scenario, 'version' | 'decision' | 'simulation'> {
  readonly npcs: readonly Pick<Npc, 'id' | 'beats' | 'opinion'>[]
}

/** How a conversation went, as far as a debrief needs it. Plain data, and nothing but reading makes it. */
export interface Account {
  readonly npc: string
  /** Of what the conversation is pinned to. */
  readonly scenario: DebriefScenario
  /** The log, as the learner saw it. */
  readonly events: readonly LogEvent[]
  /** What each turn that was answered whole was found to be worth, from -2 to 2. */
  readonly engagement: readonly { readonly turn: number; readonly score: number }[]
  /** Every node that was stood in. */
  readonly walk: readonly WalkStep[]
  /** Whether a new run can begin at its pivots. */
  readonly again: boolean
}

export function debriefScenarioOf({ version, decision, simulation, npcs }: Scenario): DebriefScenario {
  return { version, decision, simulation, npcs: npcs.map(({ id, beats, opinion }) => ({ id, beats, opinion })) }
}

/**
 * Every node that a walk has stood in, with the reason for each step out of it. Its turns are those that were answered
 * there; of a node in which nothing was said, the turn that led through it or to it, 0 being before the first.
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

/** One that the graph at hand does not have any more was most likely one that speaks. */
function shownAs(kind: NodeKind | null): WalkStep['kind'] {
  if (kind === null) return 'speak'
  return kind === 'speak' || kind === 'pivot' ? kind : 'silent'
}

/** In order. Of a message that was answered elsewhere only the answer counts. */
function turnsOf({ entries }: StateVisit): readonly number[] {
  const answered = entries.filter(isAnswer).flatMap(turnOf)
  return answered.length > 0 ? answered : entries.filter(({ kind }) => kind !== 'message').flatMap(turnOf)
}

function isAnswer(entry: LogEntry): boolean {
  return entry.kind === 'decision' || (entry.kind === 'message' && entry.who === 'npc')
}

/** None for what was done by a choice or a migration, which are no turns. */
function turnOf({ turn }: LogEntry): readonly number[] {
  return /^\d+$/.test(turn) ? [Number(turn)] : []
}

function endOf({ entries }: StateVisit): string | null {
  const end = entries.findLast((entry) => entry.kind === 'decision' && entry.to === null)
  return end?.kind === 'decision' ? end.reason : null
}
