import type { Line } from '../core/briefing/briefing.ts'
import type { Npc } from '../core/scenario/scenario.ts'
import type { LogRecord } from '../core/walk/log-record.ts'
import type { LogEvent } from '../wire/messages.ts'

/** A note that an author had put into the log (S0-17), and the turn it was passed in. */
export interface Note {
  readonly turn: number
  readonly text: string
}

/** The notes among what an interaction log keeps. */
export function notesIn(records: readonly LogRecord[]): readonly Note[] {
  return records.flatMap(({ turn, entry }) =>
    entry.type === 'thought' && entry.thought.kind === 'annotation'
      ? [{ turn: turnAfter(turn), text: entry.thought.text }]
      : [],
  )
}

/** The turn whose reply a note stands before: a note passed by picking a card stands before the next one. */
function turnAfter(turn: string): number {
  return turn.startsWith('choice:') ? Number(turn.slice('choice:'.length)) + 1 : Number(turn)
}

/**
 * The transcript before turn `turn`, as an actor is told it: what was said, with pivots and notes as markers, so that a
 * reflection can tell what was said between two of them (S0-18). Failed replies are left out. A choice made after an
 * earlier attempt of this very turn had failed is part of it.
 */
export function historyBefore(
  turn: number,
  events: readonly LogEvent[],
  npc: Npc,
  notes: readonly Note[] = [],
): readonly Line[] {
  const before = events.filter((event) => event.turn < turn || (event.turn === turn && event.type === 'pivot-end'))
  return before.flatMap((event) =>
    event.type === 'turn' && event.outcome === 'complete'
      ? [...noteLines(event.turn, notes), ...linesOf(event, npc)]
      : linesOf(event, npc),
  )
}

function noteLines(turn: number, notes: readonly Note[]): readonly Line[] {
  return notes.flatMap((note) => (note.turn === turn ? [{ who: 'marker', text: `note: ${note.text}` }] : []))
}

type PivotEnd = Pick<Extract<LogEvent, { type: 'pivot-end' }>, 'pivot' | 'choice'>

function linesOf(event: LogEvent, npc: Npc): readonly Line[] {
  switch (event.type) {
    case 'turn-start':
      return event.attempt === 1 ? [{ who: 'learner', text: event.text }] : []
    case 'turn':
      return event.outcome === 'complete' ? [{ who: 'npc', text: event.text }] : []
    case 'pivot-end':
      return pivotLines(event, npc)
    case 'command':
      return []
  }
}

/** How a pivot's end is told to an actor. */
function pivotLines(event: PivotEnd, npc: Npc): readonly Line[] {
  const { choice, pivot } = event
  if (!choice) return [{ who: 'marker', text: `${pivot} passed: the learner did not choose` }]
  const mood =
    npc.pivots.flatMap(({ choices }) => choices).find(({ id, text }) => id === choice.id && text === choice.text)
      ?.mood ?? 0
  return [
    {
      who: 'marker',
      text: `${pivot} resolved: the learner chose "${choice.text}" → mood ${mood > 0 ? '+' : ''}${mood}`,
    },
    { who: 'npc', text: choice.reaction },
  ]
}
