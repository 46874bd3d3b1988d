import type { NodeId } from '../core/graph/graph.ts'
import { beginWalk } from '../core/walk/engine.ts'
import { type InteractionLog, interactionLog } from '../core/walk/interaction-log.ts'
import type { LogRecord } from '../core/walk/log-entry.ts'
import type { SessionInfo } from './session-info.ts'
import { type Account, debriefScenarioOf, walkSteps } from '../core/run/account.ts'
import { clampEngagement } from '../core/walk/relationship.ts'
import type { SessionStore } from './session-store.ts'

/** Returns the interaction log of a session from its stored records. `now` is in milliseconds since 1970. */
export function readLog(info: SessionInfo, records: readonly LogRecord[], now: number): InteractionLog {
  const { graph, engine, person, createdAt } = info
  const node = leftFirst(records) ?? beginWalk(engine, graph, person).node
  return interactionLog({ graph, start: { node, at: createdAt }, records, now })
}

/**
 * Returns the first node that the walk left, according to the log; undefined if the walk has left no node. The walk
 * began at that node, even if the present version of the graph has another entry.
 */
function leftFirst(records: readonly LogRecord[]): NodeId | undefined {
  for (const { entry } of records) {
    if (entry.type === 'decision') return entry.decision.from
    if ('from' in entry) return entry.from
  }
  return undefined
}

/** Returns how a conversation went, for the debrief of its run. `now` is in milliseconds since 1970. */
export function accountOf(
  info: SessionInfo,
  store: Pick<SessionStore, 'eventsAfter' | 'judged' | 'recorded' | 'copies'>,
  now: number,
): Account {
  return {
    npc: info.npc,
    scenario: debriefScenarioOf(info.scenario),
    events: store.eventsAfter(0),
    engagement: store
      .judged()
      .map(({ turn, report }) => ({ turn, score: Math.trunc(clampEngagement(report.engagement_score)) })),
    walk: walkSteps(readLog(info, store.recorded(), now)),
    again: store.copies.canCopy(),
  }
}
