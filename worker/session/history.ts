import type { Line } from '../core/briefing/briefing.ts'
import type { Npc } from '../core/scenario/scenario.ts'
import type { LogEvent } from '../wire/messages.ts'

/**
 * The transcript before turn `turn`, as an actor is told it: what was said, with pivots as markers. Failed replies are
 * left out. A choice made after an earlier attempt of this very turn had failed is part of it.
 */
export function historyBefore(turn: number, events: readonly LogEvent[], npc: Npc): readonly Line[] {
  const before = events.filter((event) => event.turn < turn || (event.turn === turn && event.type === 'pivot-end'))
  return before.flatMap((event) => linesOf(event, npc))
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
export function pivotLines(event: PivotEnd, npc: Npc): readonly Line[] {
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
