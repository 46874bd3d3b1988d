import type { DocumentView, RelationshipLevel } from '../../wire/messages.ts'
import type { DecisionView, HeardFact, PersonState, RunView } from '../../wire/run.ts'
import type { Npc, Scenario } from '../scenario/scenario.ts'
import { FIRST_LEVEL } from './gained.ts'
import { openOptions } from './options.ts'

/** A run as the database stores it. The record has only facts that the learner has heard so far. */
export interface RunRecord {
  readonly id: string
  readonly scenario: string
  /** The scenario's version when the run began. */
  readonly version: number
  /** When the run began, in milliseconds since 1970. All times below have the same unit. */
  readonly startedAt: number
  readonly nickname: string | null
  readonly class: { readonly id: string; readonly title: string } | null
  readonly again: { readonly npc: string | null; readonly pivot: string | null } | null
  readonly decision: DecisionView | null
  readonly plays: readonly PlayRecord[]
}

/** The run's conversation with a colleague. */
export interface PlayRecord {
  readonly npc: string
  readonly session: string
  /** When the conversation ended; null if it goes on. */
  readonly endedAt: number | null
  readonly activeAt: number
  /** When the learner first spoke; null or missing if they have not. */
  readonly metAt?: number | null
  /** Null before the first change of level. */
  readonly level: RelationshipLevel | null
  readonly completion: 'earned' | 'forced' | null
  readonly earned: readonly string[]
  readonly earnedAt: Readonly<Record<string, number>>
  readonly facts: readonly {
    readonly fact: string
    readonly said: string
    readonly turn: number | null
    readonly at: number
  }[]
  readonly paper: DocumentView | null
  /**
   * When the document was handed over; null or missing if the colleague hands the document over at the end of the
   * conversation.
   */
  readonly paperAt?: number | null
  readonly next: { readonly npc: string; readonly why: string } | null
}

/**
 * Returns the view of a run for its learner. The view has only facts that the learner has heard, and documents that the
 * learner has been given, and only options that the learner has earned.
 */
export function runView(standing: RunRecord, scenario: Scenario): RunView {
  const { id, version, startedAt, nickname, class: joined, again, decision, plays } = standing
  const texts = new Map(scenario.simulation?.facts.map(({ id: fact, text }) => [fact, text]))
  const facts = heardFacts(plays).map((fact) => ({ ...fact, text: texts.get(fact.id) ?? fact.said }))
  return {
    id,
    scenario: scenario.id,
    version,
    startedAt,
    nickname,
    class: joined && { ...joined },
    again: again && { ...again },
    people: scenario.npcs.map((npc) => personState(npc, playWith(plays, npc.id))),
    objectives: objectivesOf(scenario, plays),
    facts,
    documents: documentsOf(plays),
    decision: decision && { ...decision, evidence: [...decision.evidence] },
    ...earnedOptions(
      scenario.decision,
      facts.map((fact) => fact.id),
      decision,
    ),
  }
}

/** Returns the open options of a decision that has options to earn, and whether there are more to earn. */
function earnedOptions(
  decision: Scenario['decision'],
  heard: readonly string[],
  made: DecisionView | null,
): Pick<RunView, 'options' | 'more'> {
  if (decision.options.every(({ needs }) => needs === undefined)) return {}
  const options = openOptions(decision, heard, made?.option)
  return { options, ...(options.length < decision.options.length && { more: true }) }
}

/** Returns each fact heard in a run once, in the order in which it was first heard. */
export function heardFacts(plays: readonly PlayRecord[]): Omit<HeardFact, 'text'>[] {
  const all = plays
    .flatMap(({ npc, facts }) => facts.map(({ fact, said, turn, at }) => ({ id: fact, npc, said, turn, at })))
    .toSorted((a, b) => a.at - b.at)
  return all.filter(({ id }, place) => all.findIndex((each) => each.id === id) === place)
}

function personState(npc: Npc, play: PlayRecord | undefined): PersonState {
  return {
    npc: npc.id,
    status: play === undefined ? 'new' : play.endedAt === null ? 'talking' : 'over',
    ...(play?.metAt != null && { hasSpoken: true as const }),
    level: play?.level ?? FIRST_LEVEL,
    // A learner may still earn the objective after the end.
    completion:
      play?.endedAt != null && play.earned.includes(npc.goal.objective) ? 'earned' : (play?.completion ?? null),
    next: play?.next ? { ...play.next } : null,
  }
}

function objectivesOf({ objectives, npcs }: Scenario, plays: readonly PlayRecord[]): RunView['objectives'] {
  const earned = new Set(plays.flatMap((play) => play.earned))
  return objectives.flatMap(({ id, title }) => {
    // An objective that is no colleague's goal cannot be earned.
    const npc = npcs.find(({ goal }) => goal.objective === id)
    if (!npc) return []
    const isOver = (playWith(plays, npc.id)?.endedAt ?? null) !== null
    const hasFoundAll = npc.walk === 'guide' && hasFound(npcs, npc, plays)
    return [{ id, title, npc: npc.id, state: earned.has(id) || hasFoundAll ? 'met' : isOver ? 'missed' : 'open' }]
  })
}

/**
 * Tells whether the learner knows who holds which part: they have talked with the guide and gone on to a colleague, or
 * have begun to talk with all the others.
 */
export function hasFound(npcs: readonly Npc[], guide: Npc, plays: readonly PlayRecord[]): boolean {
  const others = npcs.filter((npc) => npc !== guide)
  const isOn = (npc: Npc) => playWith(plays, npc.id) !== undefined
  return others.every(isOn) || (playWith(plays, guide.id)?.metAt != null && others.some(isOn))
}

function documentsOf(plays: readonly PlayRecord[]): RunView['documents'] {
  return plays
    .flatMap(({ npc, paper, paperAt, endedAt }) => {
      const at = paperAt ?? endedAt
      return paper === null || at === null ? [] : [{ ...paper, lines: [...paper.lines], npc, at }]
    })
    .toSorted((a, b) => a.at - b.at)
}

function playWith(plays: readonly PlayRecord[], npc: string): PlayRecord | undefined {
  return plays.find((play) => play.npc === npc)
}
