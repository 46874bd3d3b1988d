import { beginWalk } from '../core/walk/engine.ts'
import { type InteractionLog, interactionLog } from '../core/walk/interaction-log.ts'
import type { LogRecord } from '../core/walk/log-record.ts'
import type { SessionInfo } from './session-store.ts'

/** The interaction log of a session from what it kept. `now` is in milliseconds since 1970. */
export function readLog(info: SessionInfo, records: readonly LogRecord[], now: number): InteractionLog {
  const { graph, engine, person, createdAt } = info
  return interactionLog({ graph, start: { node: beginWalk(engine, graph, person).node, at: createdAt }, records, now })
}
