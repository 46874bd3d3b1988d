import type { NodeId } from '../core/graph/graph.ts'
import { beginWalk } from '../core/walk/engine.ts'
import { type InteractionLog, interactionLog } from '../core/walk/interaction-log.ts'
import type { LogRecord } from '../core/walk/log-record.ts'
import type { SessionInfo } from './session-info.ts'

/** The interaction log of a session from what it kept. `now` is in milliseconds since 1970. */
export function readLog(info: SessionInfo, records: readonly LogRecord[], now: number): InteractionLog {
  const { graph, engine, person, createdAt } = info
  const node = leftFirst(records) ?? beginWalk(engine, graph, person).node
  return interactionLog({ graph, start: { node, at: createdAt }, records, now })
}

/** Where it began, if it has left there: the graph at hand may be a newer one, with another entry. */
function leftFirst(records: readonly LogRecord[]): NodeId | undefined {
  for (const { entry } of records) {
    if (entry.type === 'decision') return entry.decision.from
    if ('from' in entry) return entry.from
  }
  return undefined
}
