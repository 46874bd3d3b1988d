import type { Graph } from '../../worker/core/graph/graph.ts'
import type { Report } from '../../worker/core/reply/report.ts'
import { readHints } from '../../worker/core/text/hints.ts'
import { walkOn } from '../../worker/core/walk/engine.ts'
import type { Effect, WalkEvent } from '../../worker/core/walk/event.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import type { LogEvent } from '../../worker/wire/messages.ts'

/** What the clients must see: the relationship's level at the end of each turn, and the commands, in order. */
export interface Followed {
  readonly events: readonly object[]
  readonly walk: Walk
}

/**
 * Walks a conversation again, without any fault. Takes only the messages, the replies and the picked cards from the
 * log. Leaves out turns that failed or that the learner stopped.
 *
 * @param reportTo returns the report that the model sends with its reply to a message
 */
export function replay(graph: Graph, log: readonly LogEvent[], reportTo: (message: string) => Report): Followed {
  let walk = startWalk(graph)
  const events: object[] = []
  const take = (event: WalkEvent): readonly Effect[] => {
    const stepped = walkOn(graph, walk, event)
    walk = stepped.walk
    return stepped.effects
  }
  const asked = new Map(
    log.flatMap((event) => (event.type === 'turn-start' ? [[event.turn, event.text] as const] : [])),
  )
  for (const event of log) {
    // The learner answered this fork in words. So it was the report of that turn that made the choice, not a picked
    // card.
    if (event.type === 'pivot-end' && event.choice && event.typed === undefined)
      take({ type: 'pivot-choice', node: event.pivot, choice: event.choice.id })
    if (event.type !== 'turn' || event.outcome !== 'complete') continue
    const message = asked.get(event.turn) ?? ''
    const at = { turnId: String(event.turn), seq: walk.seq + 1 }
    take({ type: 'learner', ...at, hints: readHints(message), ...(walk.end && { isAfter: true }) })
    const report = reportTo(message)
    const effects = take({ type: 'report', ...at, report, quality: 'clean' })
    events.push({ turn: event.turn, level: walk.relationship.level }, ...effects.flatMap(commandOf))
  }
  return { events, walk }
}

/** Returns the levels and the commands in the log itself. A test compares them with the result of `replay`. */
export function followedIn(log: readonly LogEvent[]): readonly object[] {
  return log.flatMap((event): object[] => {
    if (event.type === 'turn' && event.outcome === 'complete') return [{ turn: event.turn, level: event.level }]
    return event.type === 'command' ? [{ id: event.id, command: event.command }] : []
  })
}

function commandOf(effect: Effect): object[] {
  return effect.type === 'command' ? [{ id: effect.id, command: effect.command }] : []
}
