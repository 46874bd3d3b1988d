import type { LogEvent } from '../../wire/messages.ts'

/** Whether a turn ended so for good: one that failed may have been tried again. */
export function isLastOfTurn(event: LogEvent, events: readonly LogEvent[]): boolean {
  return events.findLast(({ type, turn }) => type === 'turn' && turn === event.turn) === event
}
