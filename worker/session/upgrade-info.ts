import { upgradeGraph, upgradeScenario } from '../core/walk/upgrade.ts'
import type { SessionInfo } from './session-info.ts'

/** What was stored before these fields were: everybody was new, and there was one engine. */
const EARLIER = { engine: 'graph', seed: 0, person: 'new' } as const

/** Reads what a session was begun with, whatever version of this code stored it. */
export function upgradeInfo(stored: SessionInfo): SessionInfo {
  return { ...EARLIER, ...stored, scenario: upgradeScenario(stored.scenario), graph: upgradeGraph(stored.graph) }
}
