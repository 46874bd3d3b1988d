import type { LogEvent } from '../../wire/messages.ts'
import type { PivotView } from '../../wire/run.ts'
import type { Account } from './account.ts'

/** Every pivot moment, in order, with what became of it. Only from the first of a pivot a new run can begin. */
export function pivotsOf({ events, again }: Account): PivotView[] {
  const seen = new Set<string>()
  return events.flatMap((event, place): PivotView[] => {
    if (event.type !== 'command' || event.command.name !== 'AI_PivotMoment') return []
    const { pivot, question, choices } = event.command
    const isFirst = !seen.has(pivot)
    seen.add(pivot)
    return [
      {
        pivot,
        turn: event.turn,
        question,
        choices: choices.map(({ id, text }) => ({ id, text })),
        choice: choiceAfter(events.slice(place + 1), pivot),
        again: again && isFirst,
      },
    ]
  })
}

/** Null where it passed, and where it waits. */
function choiceAfter(events: readonly LogEvent[], pivot: string): PivotView['choice'] {
  const end = events.find(
    (event) =>
      (event.type === 'pivot-end' && event.pivot === pivot) ||
      (event.type === 'command' && event.command.name === 'AI_PivotMoment' && event.command.pivot === pivot),
  )
  return end?.type === 'pivot-end' && end.choice ? { id: end.choice.id, effect: end.choice.effect } : null
}
