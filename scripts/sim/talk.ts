import { synonymsOf } from '../../worker/core/text/stems.ts'
import type { Actor } from '../../worker/actor/actor.ts'
import type { Brought } from '../../worker/core/briefing/brought.ts'
import type { Briefing } from '../../worker/core/briefing/briefing.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { graphFor, type GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import type { Report } from '../../worker/core/reply/report.ts'
import { SEPARATOR } from '../../worker/core/reply/separator.ts'
import { walkSteps, debriefScenarioOf, type Account } from '../../worker/core/run/account.ts'
import { firstName, type Npc, type PivotChoice, type Scenario } from '../../worker/core/scenario/scenario.ts'
import { clampEngagement } from '../../worker/core/walk/relationship.ts'
import { beginWalk, type WalkEngine, walkOn } from '../../worker/core/walk/engine.ts'
import type { CommandEffect, SendEffect, Trace } from '../../worker/core/walk/event.ts'
import { legacyGraphFor } from '../../worker/core/walk/legacy-graph.ts'
import type { LogRecord } from '../../worker/core/walk/log-entry.ts'
import { pickedBy } from '../../worker/core/walk/match-choice.ts'
import type { Walk } from '../../worker/core/walk/walk.ts'
import { type ConverseOutcome, converse } from '../../worker/session/converse.ts'
import { readLog } from '../../worker/session/read-log.ts'
import { ending, gained } from '../../worker/session/run-turn.ts'
import type { ConverseDeps } from '../../worker/session/turn-deps.ts'
import { saidBefore, transcriptMemory } from '../../worker/session/transcript-memory.ts'
import type { LogEvent, NewEvent } from '../../worker/wire/messages.ts'

/** The result of one typed line: a turn, a choice, or a failed turn. */
export interface Talked {
  readonly before: Walk
  readonly after: Walk
  readonly trace: readonly Trace[]
  readonly commands: readonly CommandEffect[]
  readonly sends: readonly SendEffect[]
  readonly turn: ConverseOutcome | null
  readonly choice: PivotChoice | null
}

export interface Talk {
  readonly graph: Graph
  /** The colleague's first line, before the learner has said anything; null if the learner speaks first. */
  readonly opening: string | null
  /** Sends a line, or picks a pivot's card by its number. Prints the reply while it arrives. */
  say(text: string): Promise<Talked>
  lastBriefing(): string
  /** Returns all events so far, as the log of a stored conversation would contain them. */
  events(): readonly LogEvent[]
  /** Returns what the debrief needs to know about the conversation. */
  account(): Account
}

export interface TalkOptions {
  readonly scenario: Scenario
  readonly npc: Npc
  readonly library: GraphLibrary
  readonly engine: WalkEngine
  readonly person: 'new' | 'returning'
  readonly actor: Actor
  /** Returns what the learner brings from their conversations with other colleagues; null if they bring nothing. */
  readonly brought?: () => Brought | null
  readonly after: (ms: number, task: () => void) => () => void
  readonly write: (text: string) => void
}

/**
 * Makes a conversation in memory, with the code that runs a stored conversation's turns.
 *
 * @throws Error if the scenario can't be walked; the message lists every finding
 */
export function createTalk(options: TalkOptions): Talk {
  const { scenario, npc, engine, person, write } = options
  const graph = graphOf(options)
  const name = firstName(npc.name)
  const events: LogEvent[] = []
  const reports: Report[] = []
  const engagement: Account['engagement'][number][] = []
  const records: LogRecord[] = []
  let walk = beginWalk(engine, graph, person)
  const opening = graph.opening?.text ?? null
  let briefing: Briefing | null = null

  const append = (event: NewEvent) => events.push({ seq: events.length + 1, at: Date.now(), ...event } as LogEvent)
  if (opening !== null) append({ type: 'opening', turn: 0, text: opening })
  const deps: ConverseDeps = {
    info: {
      session: '',
      epoch: '',
      scenario,
      npc: npc.id,
      graph,
      engine,
      seed: 0,
      person,
      learner: NOBODY,
      run: null,
      createdAt: 0,
    },
    npc,
    actor: overheard(options.actor, (told) => {
      briefing = told
    }),
    memory: (turn) => transcriptMemory(saidBefore(events, turn.id), synonymsOf(scenario)),
    brought: () => Promise.resolve(options.brought?.() ?? null),
    separator: () => SEPARATOR,
    store: {
      walk: () => walk,
      eventsAfter: (seq) => events.slice(seq),
      reports: () => reports,
      recorded: () => records,
    },
    now: () => Date.now(),
    after: (ms, task) => options.after(ms, task),
    probe: () => undefined,
  }

  const choose = (id: string): Talked => {
    const before = walk
    const taken = walkOn(graph, walk, { type: 'pivot-choice', node: walk.node, choice: id })
    const node = graph.nodes[before.node]
    const choice = node?.kind === 'pivot' ? (node.pivot.choices.find((each) => each.id === id) ?? null) : null
    walk = taken.walk
    if (choice) {
      const { level } = walk.relationship
      const answer = {
        type: 'pivot-end',
        turn: before.seq,
        pivot: before.node,
        level,
        choice: { cid: '', ...choice },
      } as const
      for (const event of gained(deps, [answer])) append(event)
      records.push(...taken.trace.map((entry) => ({ at: Date.now(), turn: `choice:${before.seq}`, entry })))
      write(`\n${name}  ${choice.reaction}\n     (${choice.effect})\n`)
    }
    const { commands, sends } = given(taken.effects)
    return { before, after: walk, trace: taken.trace, commands, sends, turn: null, choice }
  }

  const speak = async (text: string): Promise<Talked> => {
    const before = walk
    const id = before.seq + 1
    const turn = {
      id,
      attempt: 1,
      status: 'running',
      cid: '',
      learner: text,
      page: null,
      lease: 0,
      isTold: false,
    } as const
    write(`\n${name}  `)
    const conversed = await converse(deps, turn, new AbortController().signal, {
      show: { begin: () => undefined, piece: ({ text: piece }) => write(piece) },
    })
    write('\n')
    walk = conversed.ok ? conversed.walk : before
    if (!conversed.ok) {
      return { before, after: before, trace: [], commands: [], sends: [], turn: conversed, choice: null }
    }
    append({ type: 'turn-start', turn: id, attempt: 1, cid: '', text })
    for (const event of ending(deps, turn, before, conversed).events) append(event)
    reports.push(conversed.report)
    engagement.push({ turn: id, score: Math.trunc(clampEngagement(conversed.report.engagement_score)) })
    records.push(...conversed.records)
    const trace = conversed.records.flatMap(({ entry }) =>
      entry.type === 'message' || entry.type === 'brought' ? [] : [entry],
    )
    const { commands, sends } = conversed
    return { before, after: walk, trace, commands, sends, turn: conversed, choice: null }
  }

  return {
    graph,
    opening,
    say: async (text) => {
      const picked = pickedBy(text, graph, walk)
      return picked === null ? speak(text) : choose(picked.choice)
    },
    lastBriefing: () =>
      briefing ? `${briefing.system}\n\n══════════\n\n${briefing.user}` : 'Nothing has been said yet.',
    events: () => events,
    account: () => ({
      npc: npc.id,
      scenario: debriefScenarioOf(scenario),
      events,
      engagement,
      walk: walkSteps(readLog(deps.info, records, Date.now())),
      again: false,
    }),
  }
}

const NOBODY = { kind: 'anonymous', id: '' } as const

function graphOf({ scenario, npc, library, engine }: TalkOptions) {
  if (engine === 'legacy') return legacyGraphFor(scenario, npc)
  const bound = graphFor(scenario, npc, library)
  if (bound.ok) return bound.graph
  throw new Error(bound.findings.map(({ code, at, message }) => `${code} ${at}: ${message}`).join('\n'))
}

/** Wraps an actor so that `hearBriefing` receives every briefing of the actor. */
function overheard(actor: Actor, hearBriefing: (told: Briefing) => void): Actor {
  return {
    ...actor,
    speak: (told, signal) => {
      hearBriefing(told)
      return actor.speak(told, signal)
    },
  }
}

function given(effects: ReturnType<typeof walkOn>['effects']) {
  return {
    commands: effects.flatMap((effect) => (effect.type === 'command' ? [effect] : [])),
    sends: effects.flatMap((effect) => (effect.type === 'send' ? [effect] : [])),
  }
}
