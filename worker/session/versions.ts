import type { Graph } from '../core/graph/graph.ts'
import type { Npc, Scenario } from '../core/scenario/scenario.ts'
import type { Trace } from '../core/walk/event.ts'
import { type KeepReason, migrate, type Migrated } from '../core/walk/migrate.ts'
import type { Walk } from '../core/walk/walk.ts'
import type { SessionInfo } from './session-info.ts'

/** The scenarios and graphs with which this deployment begins new conversations. */
export interface Catalogue {
  scenario(id: string): Scenario | null
  /**
   * Returns a colleague's graph, made with the session's seed and engine. Returns null if no graph can be made; the
   * conversation then keeps its present graph.
   */
  graph(scenario: Scenario, npc: Npc, info: SessionInfo): Graph | null
}

/** The deployed version of a session's scenario and graph. */
export interface Latest {
  readonly scenario: Scenario
  readonly graph: Graph
}

/**
 * Returns the deployed version of the scenario and the graph to which a session is pinned. Returns null if the session
 * has that version already, or if there is no newer version: the scenario or the colleague no longer exists, the
 * colleague has another graph now, or the session's scenario was published in a higher version than the deployed one.
 */
export function latestGraph(info: SessionInfo, catalogue: Catalogue): Latest | null {
  const scenario = catalogue.scenario(info.scenario.id)
  if (!scenario || scenario.version < info.scenario.version) return null
  const npc = scenario.npcs.find(({ id }) => id === info.npc)
  const graph = npc ? catalogue.graph(scenario, npc, info) : null
  if (!graph || graph.id !== info.graph.id || graph.hash === info.graph.hash) return null
  return { scenario, graph }
}

/** The session when a learner's message arrives: unchanged, or migrated to the deployed version. */
export type Versioned =
  | { readonly outcome: 'moved'; readonly info: SessionInfo; readonly walk: Walk; readonly trace: readonly Trace[] }
  | { readonly outcome: 'kept'; readonly why: KeepReason }
  | Extract<Migrated, { outcome: 'refused' }>

/**
 * Migrates a session to the deployed version of its graph, if the deployed version declares a migration for the
 * session's version. The object calls this function when a learner's message has arrived and before the message opens a
 * turn, so that the conversation of an absent learner does not change. Graph and scenario change together, because the
 * graph's nodes contain texts of the scenario. Texts of another version could contradict what the colleague knows.
 *
 * @returns for `moved`, the info and the walk, which the caller has to store before it does anything else. Otherwise
 *   the session continues unchanged, and the caller logs the outcome `refused`
 */
export function bringUpToDate(info: SessionInfo, walk: Walk, catalogue: Catalogue): Versioned {
  // An assistant has several graphs, and keeps all of them.
  const latest = info.scenario.assistant ? null : latestGraph(info, catalogue)
  if (!latest) return { outcome: 'kept', why: 'same-graph' }
  const migrated = migrate(walk, latest.graph)
  if (migrated.outcome !== 'moved') return migrated
  return { ...migrated, info: { ...info, ...latest } }
}
