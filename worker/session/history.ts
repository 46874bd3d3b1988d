import type { HistoryLine } from '../core/briefing/briefing.ts'
import type { Graph } from '../core/graph/graph.ts'
import type { Npc, PivotChoice } from '../core/scenario/scenario.ts'
import type { LogRecord } from '../core/walk/log-entry.ts'
import type { LogEvent } from '../wire/messages.ts'

/** A note of an author in the log, and the turn whose reply it is next to. */
export interface HistoryNote {
  readonly turn: number
  readonly text: string
  /** Passed after the reply was spoken. */
  readonly isAfter: boolean
}

/** The notes in an interaction log, except those of a loop that was taken back ([walk-32]). */
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
    else if (entry.type === 'thought' && entry.thought.kind === 'annotation')
      notes.push({ turn: turnAfter(turn), text: entry.thought.text, isAfter: isSpoken && !isOfCard(turn) })
  }
  return notes
}

/** The turn whose reply a note is next to. A note that a picked card passed is before the next reply. */
function turnAfter(turn: string): number {
  return isOfCard(turn) ? Number(turn.slice('choice:'.length)) + 1 : Number(turn)
}

function isOfCard(turn: string): boolean {
  return turn.startsWith('choice:')
}

/** Where the forks of a conversation are: in what it walks, and with the colleague. */
interface About {
  readonly graph: Graph
  readonly npc: Npc
}

/**
 * The transcript before turn `turn`, as an actor is told it: what was said, with pivots and notes as markers, so that a
 * reflection can tell what was said between two of them. Failed replies are left out, and those that were cut
 * off are marked. A choice made after an
 * earlier attempt of this very turn had failed is part of it.
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

type PivotEnd = Pick<Extract<LogEvent, { type: 'pivot-end' }>, 'pivot' | 'choice'>

function linesOf(event: LogEvent, about: About): readonly HistoryLine[] {
  switch (event.type) {
    case 'turn-start':
      return event.attempt === 1 ? [{ who: 'learner', text: event.text }] : []
    case 'turn':
      return replyLines(event)
    case 'pivot-end':
      return pivotLines(event, about)
    case 'command':
      return []
  }
}

/** The lines of a turn. Of a stopped reply: the part the learner heard, and a marker that they stopped it. */
function replyLines({
  outcome,
  text,
}: Pick<Extract<LogEvent, { type: 'turn' }>, 'outcome' | 'text'>): readonly HistoryLine[] {
  if (outcome === 'failed') return []
  if (outcome === 'complete') return [{ who: 'npc', text }]
  if (text === '') return [{ who: 'marker', text: 'cut off: the learner stopped this reply before it began' }]
  return [
    { who: 'npc', text },
    { who: 'marker', text: 'cut off: the learner stopped this reply here' },
  ]
}

/** How a pivot's end is told to an actor. */
function pivotLines({ choice, pivot }: PivotEnd, about: About): readonly HistoryLine[] {
  if (!choice) return [{ who: 'marker', text: `${pivot} passed: the learner did not choose` }]
  const mood = choicesFor(pivot, about).find(({ id, text }) => id === choice.id && text === choice.text)?.mood ?? 0
  return [
    {
      who: 'marker',
      text: `${pivot} resolved: the learner chose "${choice.text}" → mood ${mood > 0 ? '+' : ''}${mood}`,
    },
    { who: 'npc', text: choice.reaction },
  ]
}

/** The fork's own choices first; those of others come after them, since a newer graph may call a fork otherwise. */
function choicesFor(pivot: string, { graph, npc }: About): readonly PivotChoice[] {
  const nodes = [graph.nodes[pivot], ...Object.values(graph.nodes)]
  const forks = [...nodes.flatMap((node) => (node?.kind === 'pivot' ? [node.pivot] : [])), ...npc.pivots]
  return forks.flatMap(({ choices }) => choices)
}
