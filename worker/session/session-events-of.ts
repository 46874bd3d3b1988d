import type { SessionEvent } from '../chain/session-events.ts'
import type { LogRecord } from '../core/walk/log-record.ts'
import { type Ear, heardIn, NOTHING_TOLD, type Told } from './ear.ts'
import type { NewEvent } from './session-store.ts'

/**
 * What of the end of a turn, or of a choice, is for the chain, in the order in which it happened.
 *
 * @param ear null where nothing is listened for
 * @param told what the chain was told before
 */
export function sessionEventsOf(
  { records, events }: { readonly records: readonly LogRecord[]; readonly events: readonly NewEvent[] },
  at: number,
  ear: Ear | null = null,
  told: Told = NOTHING_TOLD,
): readonly SessionEvent[] {
  return [
    ...annotationsIn(records),
    ...(ear === null ? [] : heardIn(events, ear, told, at)),
    ...events.flatMap((event) => commandIn(event, at, ear !== null)),
  ]
}

/** Those that were crossed on a way that stands: of one that led round in a loop nothing is left but the log. */
function annotationsIn(records: readonly LogRecord[]): readonly SessionEvent[] {
  const stands: SessionEvent[] = []
  let way: SessionEvent[] = []
  for (const { at, entry } of records) {
    if (entry.type === 'thought' && entry.thought.kind === 'annotation')
      way.push({ type: 'annotation', node: entry.thought.node, text: entry.thought.text, at })
    if (entry.type === 'internal-loop') way = []
    // From a reply nothing goes back.
    if (entry.type === 'message' && entry.who === 'npc') stands.push(...way.splice(0))
  }
  return [...stands, ...way]
}

function commandIn(event: NewEvent, at: number, isSimulation: boolean): readonly SessionEvent[] {
  if (event.type !== 'command') return []
  const { command } = event
  switch (command.name) {
    case 'AI_PivotMoment':
      return []
    case 'AI_AdvanceObjective':
      return [{ type: 'objective', objective: command.objective, title: command.title, at }]
    case 'AI_EndConversation': {
      const { completion, document, next } = command
      const onward = next && { npc: next.id, why: next.why }
      const paper = isSimulation && { paper: document }
      return [{ type: 'ended', completion, document: document?.title ?? null, ...paper, next: onward, at }]
    }
  }
}
