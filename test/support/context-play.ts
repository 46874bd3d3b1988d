import { wordTable } from '../../scripts/word-table-file.ts'
import { createRehearsalActor } from '../../worker/actor/rehearsal-actor.ts'
import { synonymsOf } from '../../worker/core/text/stems.ts'
import { SEPARATOR } from '../../worker/core/reply/separator.ts'
import type { Report } from '../../worker/core/reply/report.ts'
import type { CommandEffect, SendEffect } from '../../worker/core/walk/event.ts'
import { interactionLog, type InteractionLog } from '../../worker/core/walk/interaction-log.ts'
import { isMessage, type LogRecord } from '../../worker/core/walk/log-entry.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { converse } from '../../worker/session/converse.ts'
import type { SessionInfo } from '../../worker/session/session-info.ts'
import type { StoredTurn } from '../../worker/session/turn.ts'
import type { ConverseDeps } from '../../worker/session/turn-deps.ts'
import { transcriptMemory } from '../../worker/session/transcript-memory.ts'
import type { LogEvent } from '../../worker/wire/messages.ts'
import type { Shipped } from './shipped-graphs.ts'

/** A learner's message, the reply, and the effect of the turn. */
export interface PlayedTurn {
  readonly learner: string
  readonly speech: string
  readonly report: Report
  /**
   * The state in which the colleague spoke the reply. `rests` is the state in which the walk was at the end of the
   * turn.
   */
  readonly node: string
  readonly rests: string
}

/** A played conversation, and everything that was recorded during it. */
export interface Play {
  readonly turns: readonly PlayedTurn[]
  readonly walk: Walk
  readonly log: InteractionLog
  readonly records: readonly LogRecord[]
  readonly commands: readonly CommandEffect[]
  readonly sends: readonly SendEffect[]
}

/**
 * Plays a whole conversation in a context graph. Uses the code that a session uses for a turn: the walker, the prompts,
 * the rehearsal actor, the splitter and the parsers. Only storage and sockets are missing. Stops when the conversation
 * ends, even if the learner has more lines.
 *
 * @param from the walk to continue; by default a new walk
 */
export async function play(
  { scenario, npc, graph }: Shipped,
  lines: readonly string[],
  person: 'new' | 'returning' = 'new',
  from: Walk = startWalk(graph, person),
): Promise<Play> {
  let walk = from
  const events: LogEvent[] = []
  const reports: Report[] = []
  const records: LogRecord[] = []
  const commands: CommandEffect[] = []
  const sends: SendEffect[] = []
  const turns: PlayedTurn[] = []
  let clock = 0
  const deps: ConverseDeps = {
    info: infoOf({ scenario, npc, graph }, person),
    npc,
    actor: createRehearsalActor({ pace: () => Promise.resolve(), table: wordTable }),
    memory: () =>
      transcriptMemory(
        turns.map(({ learner }) => learner),
        synonymsOf(scenario),
      ),
    separator: () => SEPARATOR,
    now: () => (clock += 1),
    after: () => () => {},
    probe: () => {},
    store: { walk: () => walk, eventsAfter: () => events, reports: () => reports, recorded: () => records },
  }
  for (const learner of lines) {
    if (walk.end) break
    const turn = turnOf(turns.length + 1, learner)
    const conversed = await converse(deps, turn, new AbortController().signal)
    if (!conversed.ok) throw new Error(`turn ${turn.id} failed: ${conversed.failure}`)
    records.push(...conversed.records)
    commands.push(...conversed.commands)
    sends.push(...conversed.sends)
    reports.push(conversed.report)
    events.push(...eventsOf(turn, conversed.text, events.length))
    walk = conversed.walk
    const { text: speech, report } = conversed
    turns.push({ learner, speech, report, node: spokenIn(conversed.records), rests: walk.node })
  }
  const log = interactionLog({ graph, start: { node: from.node, at: 0 }, records, now: clock })
  return { turns, walk, log, records, commands, sends }
}

/** Returns the states in which the colleague spoke, in order. */
export function spokenStates({ turns }: Play): readonly string[] {
  return turns.map(({ node }) => node)
}

/** Returns a conversation as readable text. The text contains nothing that is hidden from clients. */
export function transcriptOf(npc: Shipped['npc'], { log }: Play): string {
  const [first = npc.name] = npc.name.split(' ')
  return [...log.past, log.current]
    .flatMap(({ entries }) => entries.filter(isMessage))
    .map(({ who, text }) => `${who === 'learner' ? 'You' : first}: ${text}`)
    .join('\n')
}

function infoOf({ scenario, npc, graph }: Shipped, person: SessionInfo['person']): SessionInfo {
  const learner = { kind: 'anonymous', id: 'played' } as const
  const pinned = { engine: 'graph', seed: 0, person, learner, run: null, createdAt: 0 } as const
  return { session: 'played', epoch: 'played', scenario, npc: npc.id, graph, ...pinned }
}

function turnOf(id: number, learner: string): StoredTurn {
  return { id, attempt: 1, status: 'running', cid: `c${id}`, learner, page: null, lease: 0, isTold: false }
}

function eventsOf({ id: turn, learner, cid }: StoredTurn, text: string, before: number): readonly LogEvent[] {
  return [
    { seq: before + 1, at: 0, type: 'turn-start', turn, attempt: 1, cid, text: learner },
    { seq: before + 2, at: 0, type: 'turn', turn, attempt: 1, text, outcome: 'complete', level: 'neutral' },
  ]
}

/** Returns the state in which the colleague spoke. The walker's decision after the reply begins with this state. */
function spokenIn(records: readonly LogRecord[]): string {
  const decided = records.flatMap(({ entry }) => (entry.type === 'decision' ? [entry.decision.from] : []))
  return decided.at(-1) ?? ''
}
