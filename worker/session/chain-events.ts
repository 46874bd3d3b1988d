import type { SessionEvent } from '../chain/session-events.ts'
import { FIRST_END } from '../core/walk/command.ts'
import type { LogRecord } from '../core/walk/log-entry.ts'
import type { DocumentView, NewEvent } from '../wire/messages.ts'

/**
 * Returns the events that a turn's end or a choice sends to the chain, in the order in which they happened.
 *
 * @param at when the turn ended or the choice was made, in milliseconds since 1970
 */
export function chainEventsOf(
  { records, events }: { readonly records: readonly LogRecord[]; readonly events: readonly NewEvent[] },
  at: number,
): readonly SessionEvent[] {
  // Only the events of a simulation list documents in `gained`.
  const papers = events.flatMap((event) => ('gained' in event ? (event.gained?.documents ?? []) : []))
  return [
    ...annotationsIn(records),
    ...events.flatMap((event) => gainedIn(event, at)),
    ...events.flatMap((event) => commandIn(event, at, papers)),
  ]
}

/**
 * Returns the annotations that the walk passed. If the walk went back from a loop through silent nodes, the annotations
 * of that loop are left out.
 */
function annotationsIn(records: readonly LogRecord[]): readonly SessionEvent[] {
  const kept: SessionEvent[] = []
  let way: SessionEvent[] = []
  for (const { at, entry } of records) {
    if (entry.type === 'thought' && entry.thought.kind === 'annotation')
      way.push({ type: 'annotation', node: entry.thought.node, text: entry.thought.text, at })
    if (entry.type === 'internal-loop') way = []
    // If the walk goes back from a loop after the reply, it goes back at most to the reply. So the annotations before
    // the reply stay.
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
    case 'AI_HandOverDocument':
      return paper ? [{ type: 'paper', paper, at }] : []
    case 'AI_AdvanceObjective':
      return [{ type: 'objective', objective: command.objective, title: command.title, at }]
    case 'AI_EndConversation': {
      const { completion, document, next } = command
      // If the learner takes a goodbye back, the conversation ends a second time. Only the first end sends the learner
      // on to the next colleague.
      const isAgain = event.id.startsWith(`${FIRST_END}:`)
      const onward = next && !isAgain ? { npc: next.id, why: next.why } : null
      return [
        { type: 'ended', completion, document: document?.title ?? null, ...(paper && { paper }), next: onward, at },
      ]
    }
  }
}
