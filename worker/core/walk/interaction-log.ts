import { type Graph, type ModuleId, type NodeId, type NodeKind, stateName } from '../graph/graph.ts'
import type { Trace } from './event.ts'
import { type Activations, entryOf, isMessage, type LogEntry, type LogRecord } from './log-entry.ts'
import { atTurn, type Quantum, quantumOf, readEntry, type Reader, readFrom, type Transition } from './quantum.ts'

/**
 * The actor's complete view of a conversation: every state visited, and what happened in each state and when. A learner
 * never sees this log; a debrief shows only the steps that `walkSteps` derives from the log.
 */
export interface InteractionLog {
  readonly past: readonly StateVisit[]
  readonly current: StateVisit
  /** The path of each turn through the graph, oldest turn first. */
  readonly turns: readonly (Quantum & { readonly turn: string })[]
}

/** One visit to a state, from entering to leaving it. */
export interface StateVisit {
  readonly node: NodeId
  readonly name: string
  /** Null if the current graph lacks this node. */
  readonly module: ModuleId | null
  readonly kind: NodeKind | null
  /** Null for the visit in which the conversation began. */
  readonly enteredBy: Transition | null
  readonly enteredAt: number
  /** Null while the pointer is still in this visit. */
  readonly leftAt: number | null
  /**
   * Milliseconds from entering the state until leaving it; if the pointer is still there, until the conversation's end
   * or until now.
   */
  readonly durationMs: number
  readonly entries: readonly LogEntry[]
}

export interface LogSource {
  readonly graph: Graph
  readonly start: { readonly node: NodeId; readonly at: number }
  /** The stored records, in the order in which they were stored. */
  readonly records: readonly LogRecord[]
  /** The time at which the log is read, in milliseconds since 1970. */
  readonly now: number
}

/** Derives the interaction log from the records. The log itself is not stored. */
export function interactionLog({ graph, start, records, now }: LogSource): InteractionLog {
  const visits = [openVisit(start.node, start.at, null)]
  const turns: TurnDraft[] = []
  const activations: Activations = new Map()
  let reader = readFrom(start.node)
  let endedAt: number | null = null
  for (const record of records) {
    const { at, turn, entry } = record
    if (turns.at(-1)?.turn !== turn) {
      reader = atTurn(reader)
      turns.push({ turn, from: reader.node, trace: [] })
    }
    add(visits, record, activations)
    if (entry.type === 'message' || entry.type === 'brought' || entry.type === 'used') continue
    turns.at(-1)?.trace.push(entry)
    const read: { reader: Reader; transition: Transition | null } = readEntry(reader, entry)
    reader = read.reader
    if (read.transition) visits.push(openVisit(read.transition.to, at, read.transition))
    endedAt = isEnd(entry) ? at : read.transition || entry.type === 'decision' ? null : endedAt
  }
  const until = endedAt ?? now
  const closed = visits.map((visit, i) => closeVisit(graph, visit, visits[i + 1]?.enteredAt ?? null, until))
  return {
    past: closed.slice(0, -1),
    current: closed.at(-1) ?? closeVisit(graph, openVisit(start.node, start.at, null), null, until),
    turns: turns.map(({ turn, from, trace }) => ({ turn, ...quantumOf(trace, graph, from) })),
  }
}

interface TurnDraft {
  readonly turn: string
  readonly from: NodeId
  readonly trace: Trace[]
}

interface VisitDraft {
  readonly node: NodeId
  readonly enteredAt: number
  readonly enteredBy: Transition | null
  readonly entries: LogEntry[]
}

function openVisit(node: NodeId, enteredAt: number, enteredBy: Transition | null): VisitDraft {
  return { node, enteredAt, enteredBy, entries: [] }
}

function closeVisit(graph: Graph, visit: VisitDraft, leftAt: number | null, until: number): StateVisit {
  const { node, enteredBy, enteredAt, entries } = visit
  const known = graph.nodes[node]
  return {
    node,
    name: known ? stateName(known) : node,
    module: known?.module ?? null,
    kind: known?.kind ?? null,
    enteredBy,
    enteredAt,
    leftAt,
    // A clock that was set back must not make a duration negative.
    durationMs: Math.max(0, (leftAt ?? until) - enteredAt),
    entries,
  }
}

/** Adds a thought to the last visit of the state that it came from, and any other record to the current visit. */
function add(visits: readonly VisitDraft[], record: LogRecord, activations: Activations): void {
  const { entry } = record
  const named = entry.type === 'thought' ? entry.thought.node : null
  const visit = visits.findLast(({ node }) => node === named) ?? visits.at(-1)
  if (!visit) return
  if (entry.type === 'behavior-activated') activations.set(entry.activation, entry)
  const written = entryOf(record, { index: visit.entries.filter(isMessage).length, activations })
  if (written) visit.entries.push(written)
}

/**
 * Tells whether a log entry is a decision to end the conversation or a called graph. When a called graph ends, the log
 * then has a move back to the calling graph. From this move `interactionLog` sees that the conversation went on.
 */
function isEnd(entry: Trace): boolean {
  return entry.type === 'decision' && entry.decision.to === null
}
