import { walkSteps, debriefScenarioOf, type Account } from '../core/run/account.ts'
import { clampEngagement } from '../core/walk/engagement.ts'
import { readLog } from './read-log.ts'
import type { SessionInfo } from './session-info.ts'
import type { SessionStore } from './session-store.ts'

/** How a conversation went, for the debrief of its run. `now` is in milliseconds since 1970. */
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
