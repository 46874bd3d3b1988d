import { usedLine } from '../core/assistant/tools.ts'
import type { HistoryLine } from '../core/briefing/briefing.ts'
import type { Graph } from '../core/graph/graph.ts'
import type { Npc, PivotChoice } from '../core/scenario/scenario.ts'
import type { LogRecord } from '../core/walk/log-entry.ts'
import type { LogEvent } from '../wire/messages.ts'

/**
 * An author's note (an annotation in the graph) that the walk passed, or a tool that was used, and the turn beside whose reply the transcript
 * shows the note.
 */
export interface HistoryNote {
  readonly turn: number
  readonly text: string
  /** True if the walk passed the note after the reply was spoken. */
  readonly isAfter: boolean
}

/**
 * Returns the notes in an interaction log. If the walk went back from a loop through silent nodes, the notes of that
 * loop are left out ([walk-32]).
 */
export function notesIn(records: readonly LogRecord[]): readonly HistoryNote[] {
  const notes: HistoryNote[] = []
  let turn = ''
  let isSpoken = false
  let kept = 0
  for (const record of records) {
    const { entry } = record
    if (record.turn !== turn) {
      turn = record.turn
      isSpoken = false
      kept = notes.length
    }
    if (entry.type === 'message') isSpoken ||= entry.who === 'npc'
    else if (entry.type === 'decision') kept = notes.length
    else if (entry.type === 'internal-loop') notes.splice(kept)
    else if (entry.type === 'used') notes.push({ turn: turnAfter(turn), text: usedLine(entry), isAfter: false })
    else if (entry.type === 'thought' && entry.thought.kind === 'annotation')
      notes.push({ turn: turnAfter(turn), text: entry.thought.text, isAfter: isSpoken && !isOfCard(turn) })
  }
  return notes
}

/**
 * Returns the turn whose reply a note stands beside. A note that the walk passed after the learner picked a card stands
 * beside the next reply.
 */
function turnAfter(turn: string): number {
  return isOfCard(turn) ? Number(turn.slice('choice:'.length)) + 1 : Number(turn)
}

function isOfCard(turn: string): boolean {
  return turn.startsWith('choice:')
}

interface About {
  readonly graph: Graph
  readonly npc: Npc
}

/**
 * Returns the transcript before turn `turn` for an actor. Pivots and notes are markers in the transcript, so that the
 * actor can tell what was said between two markers. Failed replies are left out, and stopped replies are marked. A
 * choice that the learner made between a failed attempt at turn `turn` and its retry is included.
 */
export function historyBefore(
  turn: number,
  events: readonly LogEvent[],
  about: About,
  notes: readonly HistoryNote[] = [],
): readonly HistoryLine[] {
  const before = events.filter((event) => event.turn < turn || (event.turn === turn && event.type === 'pivot-end'))
  return before.flatMap((event) =>
    event.type === 'turn' && event.outcome === 'complete'
      ? [...noteLines(event.turn, notes, false), ...linesOf(event, about), ...noteLines(event.turn, notes, true)]
      : linesOf(event, about),
  )
}

function noteLines(turn: number, notes: readonly HistoryNote[], isAfter: boolean): readonly HistoryLine[] {
  return notes.flatMap((note) =>
    note.turn === turn && note.isAfter === isAfter ? [{ who: 'marker', text: `note: ${note.text}` }] : [],
  )
}

type PivotEnd = Pick<Extract<LogEvent, { type: 'pivot-end' }>, 'pivot' | 'choice' | 'typed'>

function linesOf(event: LogEvent, about: About): readonly HistoryLine[] {
  switch (event.type) {
    case 'opening':
      return [{ who: 'npc', text: event.text }]
    case 'turn-start':
      return event.attempt === 1 ? [{ who: 'learner', text: event.text }] : []
    case 'turn':
      return replyLinesOf(event)
    case 'pivot-end':
      return pivotLines(event, about)
    case 'command':
    case 'edits':
    case 'edit-end':
    case 'permission':
    case 'permission-end':
    case 'permission-revoked':
    case 'tool-call':
    case 'tool-end':
      return []
  }
}

type Reply = Extract<LogEvent, { type: 'turn' }>

/** The lines of the replies in logs that are in memory, so that what is computed for a line is computed once. */
const linesKept = new WeakMap<Reply, readonly HistoryLine[]>()

function replyLinesOf(event: Reply): readonly HistoryLine[] {
  const lines = linesKept.get(event) ?? replyLines(event)
  linesKept.set(event, lines)
  return lines
}

/**
 * Returns the transcript lines of a turn's reply. The lines of a stopped reply are the part that the learner heard, and
 * a marker for the stop.
 */
function replyLines({ outcome, text }: Pick<Reply, 'outcome' | 'text'>): readonly HistoryLine[] {
  if (outcome === 'failed') return []
  if (outcome === 'complete') return [{ who: 'npc', text }]
  if (text === '') return [{ who: 'marker', text: 'cut off: the learner stopped this reply before it began' }]
  return [
    { who: 'npc', text },
    { who: 'marker', text: 'cut off: the learner stopped this reply here' },
  ]
}

function pivotLines({ choice, pivot, typed }: PivotEnd, about: About): readonly HistoryLine[] {
  // A typed answer and the reply to it are in the transcript already.
  if (typed) return []
  if (!choice) return [{ who: 'marker', text: `${pivot} passed: the learner picked no card` }]
  const mood = choicesFor(pivot, about).find(({ id, text }) => id === choice.id && text === choice.text)?.mood ?? 0
  return [
    {
      who: 'marker',
      text: `${pivot} resolved: the learner chose "${choice.text}" → mood ${mood > 0 ? '+' : ''}${mood}`,
    },
    { who: 'npc', text: choice.reaction },
  ]
}

/**
 * Returns the choices of a fork, followed by the choices of all forks, because the fork may have another id in a newer
 * version of the graph.
 */
function choicesFor(pivot: string, { graph, npc }: About): readonly PivotChoice[] {
  const nodes = [graph.nodes[pivot], ...Object.values(graph.nodes)]
  const forks = [...nodes.flatMap((node) => (node?.kind === 'pivot' ? [node.pivot] : [])), ...npc.pivots]
  return forks.flatMap(({ choices }) => choices)
}
