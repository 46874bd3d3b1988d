import type { SessionEvent } from '../chain/session-events.ts'
import type { LogRecord } from '../core/walk/log-entry.ts'
import type { DocumentView, NewEvent } from '../wire/messages.ts'

/**
 * What the chain is told of the end of a turn, or of a choice, in the order in which it happened.
 *
 * @param at when, in milliseconds since 1970
 */
export function chainEventsOf(
  { records, events }: { readonly records: readonly LogRecord[]; readonly events: readonly NewEvent[] },
  at: number,
): readonly SessionEvent[] {
  // Only in a simulation is a document gained, and kept for a notebook.
  const papers = events.flatMap((event) => ('gained' in event ? (event.gained?.documents ?? []) : []))
  return [
    ...annotationsIn(records),
    ...events.flatMap((event) => gainedIn(event, at)),
    ...events.flatMap((event) => commandIn(event, at, papers)),
  ]
}

/** Those that were passed on a way that was kept: of a loop, which is taken back, only the log knows. */
function annotationsIn(records: readonly LogRecord[]): readonly SessionEvent[] {
  const kept: SessionEvent[] = []
  let way: SessionEvent[] = []
  for (const { at, entry } of records) {
    if (entry.type === 'thought' && entry.thought.kind === 'annotation')
      way.push({ type: 'annotation', node: entry.thought.node, text: entry.thought.text, at })
    if (entry.type === 'internal-loop') way = []
    // From a reply nothing goes back.
    if (entry.type === 'message' && entry.who === 'npc') kept.push(...way.splice(0))
  }
  return [...kept, ...way]
}

function gainedIn(event: NewEvent, at: number): readonly SessionEvent[] {
  if (!('gained' in event) || !event.gained) return []
  const { facts, level } = event.gained
  const heard = facts?.map(({ id, said, turn }) => ({ fact: id, said, turn }))
  return [
    ...(heard ? [{ type: 'heard', facts: heard, at } as const] : []),
    ...(level ? [{ type: 'level', level, at } as const] : []),
  ]
}

function commandIn(event: NewEvent, at: number, [paper]: readonly DocumentView[]): readonly SessionEvent[] {
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
      return [
        { type: 'ended', completion, document: document?.title ?? null, ...(paper && { paper }), next: onward, at },
      ]
    }
  }
}
