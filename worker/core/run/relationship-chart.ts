import type { LogEvent } from '../../wire/messages.ts'
import type { TalkView } from '../../wire/run.ts'
import { isLastOfTurn } from './last-of-turn.ts'

/** Where the colleague stood after each turn and each choice, oldest first. A turn that failed for good changed nothing. */
export function relationshipOf(events: readonly LogEvent[]): TalkView['relationship'] {
  return events.flatMap((event): TalkView['relationship'] => {
    if (event.type === 'pivot-end' && event.choice !== null)
      return [{ turn: event.turn, level: event.level, by: 'choice' }]
    if (event.type !== 'turn' || event.outcome === 'failed' || !isLastOfTurn(event, events)) return []
    return [{ turn: event.turn, level: event.level, by: 'turn' }]
  })
}
