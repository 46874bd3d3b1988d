import type { GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import type { Actor } from '../../worker/actor/actor.ts'
import type { SessionEvent } from '../../worker/chain/session-events.ts'
import { broughtTo, type OtherTalk } from '../../worker/core/briefing/brought.ts'
import { type Debrief, debriefOf } from '../../worker/core/run/debrief.ts'
import { type PlayRecord, runView } from '../../worker/core/run/run-view.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import { chainEventsOf } from '../../worker/session/chain-events.ts'
import type { DecisionView, RunView } from '../../worker/wire/run.ts'
import { createTalk, type Talk, type Talked } from './talk.ts'

export interface PlayRun {
  readonly scenario: Scenario
  view(): RunView
  /**
   * Begins the conversation with a colleague, or returns to it. Returns the first line of a conversation that has just
   * begun, or null.
   */
  meet(npc: Npc): string | null
  say(npc: Npc, text: string): Promise<Talked>
  decide(decision: Omit<DecisionView, 'at'>): void
  /** Returns the debrief; null before the decision. */
  debrief(): Debrief | null
}

export interface PlayOptions {
  readonly scenario: Scenario
  readonly library: GraphLibrary
  readonly actor: Actor
  readonly after: (ms: number, task: () => void) => () => void
  readonly write: (text: string) => void
}

/**
 * Makes a run in memory. The run's conversations use the server's walker and actor. On a server, the chain derives the
 * run's state from the conversations' events. A run in memory has no chain, so `createPlayRun` derives the run's state
 * from the events.
 */
export function createPlayRun(options: PlayOptions): PlayRun {
  const { scenario } = options
  const startedAt = Date.now()
  const plays = new Map<string, { readonly talk: Talk; seen: number; standing: PlayRecord }>()
  let decision: DecisionView | null = null

  const met = () => [...plays.values()].filter(({ seen }) => seen > 0).map(({ standing }) => standing)
  const begin = (npc: Npc) => {
    const brought = () => broughtTo(scenario, npc.id, met().map(talkOf), [])
    const talk = createTalk({ ...options, npc, engine: 'graph', person: 'new', brought })
    const play = { talk, seen: 0, standing: nothingYet(npc.id) }
    plays.set(npc.id, play)
    return play
  }
  const view = (): RunView =>
    runView(
      {
        id: 'ctx_terminal',
        scenario: scenario.id,
        version: scenario.version,
        startedAt,
        nickname: null,
        class: null,
        again: null,
        decision,
        plays: met(),
      },
      scenario,
    )

  return {
    scenario,
    view,
    meet: (npc) => (plays.has(npc.id) ? null : begin(npc).talk.opening),
    say: async (npc, text) => {
      const play = plays.get(npc.id) ?? begin(npc)
      const talked = await play.talk.say(text)
      const events = play.talk.events().slice(play.seen)
      play.seen += events.length
      play.standing = standingAfter(play.standing, events)
      return talked
    },
    decide: (made) => {
      decision ??= { ...made, at: Date.now() }
    },
    debrief: () => {
      const run = view()
      if (run.decision === null) return null
      const accounts = [...plays.values()].map(({ talk }) => talk.account())
      return debriefOf(scenario, { ...run, decision: run.decision }, accounts)
    },
  }
}

function talkOf({ npc, paper, facts }: PlayRecord): OtherTalk {
  return { npc, hasPaper: paper !== null, facts }
}

function nothingYet(npc: string): PlayRecord {
  return {
    npc,
    session: npc,
    endedAt: null,
    activeAt: Date.now(),
    level: null,
    completion: null,
    earned: [],
    earnedAt: {},
    facts: [],
    paper: null,
    paperAt: null,
    next: null,
  }
}

/** Returns the state of a conversation after the given events, as the chain would compute the state. */
function standingAfter(before: PlayRecord, events: ReturnType<Talk['events']>): PlayRecord {
  const at = Date.now()
  return { ...chainEventsOf({ records: [], events }, at).reduce(withNews, before), activeAt: at }
}

function withNews(standing: PlayRecord, event: SessionEvent): PlayRecord {
  switch (event.type) {
    case 'heard':
      return { ...standing, facts: [...standing.facts, ...event.facts.map((fact) => ({ ...fact, at: event.at }))] }
    case 'level':
      return { ...standing, level: event.level }
    case 'objective':
      return {
        ...standing,
        earned: [...standing.earned, event.objective],
        earnedAt: { ...standing.earnedAt, [event.objective]: event.at },
      }
    case 'paper':
      return { ...standing, paper: { ...event.paper, lines: [...event.paper.lines] }, paperAt: event.at }
    case 'ended':
      return {
        ...standing,
        endedAt: event.at,
        completion: event.completion,
        paper: event.paper ? { ...event.paper, lines: [...event.paper.lines] } : standing.paper,
        next: event.next,
      }
    default:
      return standing
  }
}
