import type { LogEvent } from '../../wire/messages.ts'

/** A message of the learner or the colleague. */
export interface TranscriptLine {
  readonly id: string
  readonly who: 'learner' | 'npc'
  readonly text: string
  /** The time of the message, in milliseconds since 1970. */
  readonly at: number
}

/**
 * Returns the messages of a conversation, as the learner saw them. A turn that was retried has only its final reply,
 * and a stopped reply ends where it was stopped.
 */
export function transcriptOf(events: readonly LogEvent[]): readonly TranscriptLine[] {
  return events.flatMap((event) => messagesOf(event, events))
}

function messagesOf(event: LogEvent, events: readonly LogEvent[]): readonly TranscriptLine[] {
  const { at } = event
  switch (event.type) {
    case 'opening':
      return [{ id: 'opening', who: 'npc', text: event.text, at }]
    case 'turn-start':
      return event.attempt === 1 ? [{ id: `say-${event.turn}`, who: 'learner', text: event.text, at }] : []
    case 'turn': {
      if (!isLastOfTurn(event, events) || event.text === '') return []
      return [{ id: `reply-${event.turn}`, who: 'npc', text: event.text, at }]
    }
    case 'pivot-end':
      if (event.choice === null || event.typed) return []
      return [
        { id: `choice-${event.seq}`, who: 'learner', text: event.choice.text, at },
        { id: `reaction-${event.seq}`, who: 'npc', text: event.choice.reaction, at },
      ]
    case 'command':
    case 'edits':
    case 'edit-end':
    case 'permission':
    case 'permission-end':
    case 'tool-call':
    case 'tool-end':
      return []
  }
}

/** Tells whether this is the turn's final event. A failed turn may have been retried. */
export function isLastOfTurn(event: LogEvent, events: readonly LogEvent[]): boolean {
  return events.findLast(({ type, turn }) => type === 'turn' && turn === event.turn) === event
}
