import { upgradeGraph, upgradeScenario } from '../core/walk/upgrade.ts'
import type { SessionInfo } from './session-info.ts'

/** What was stored before these fields were: everybody was new, there was one engine, and no chain. */
const EARLIER = { engine: 'graph', seed: 0, person: 'new', run: null } as const

/** Reads what a session was begun with, whatever version of this code stored it. */
export function upgradeInfo(stored: SessionInfo): SessionInfo {
  // Before learners had ids nobody knew who they were, and one that holds for this conversation alone says as much.
  const earlier = { ...EARLIER, learner: { kind: 'anonymous', id: stored.session } as const }
  return { ...earlier, ...stored, scenario: upgradeScenario(stored.scenario), graph: upgradeGraph(stored.graph) }
}
