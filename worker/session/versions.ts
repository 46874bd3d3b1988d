import type { Graph } from '../core/graph/graph.ts'
import type { Npc, Scenario } from '../core/scenario/scenario.ts'
import type { Trace } from '../core/walk/event.ts'
import { type KeepReason, migrate, type Migrated } from '../core/walk/migrate.ts'
import type { Walk } from '../core/walk/walk.ts'
import type { SessionInfo } from './session-info.ts'

/** The scenarios and graphs that this deployment begins conversations with. */
export interface Catalogue {
  scenario(id: string): Scenario | null
  /**
   * Returns the graph for a colleague, made for this session: in its framing, with its engine. Null if none can be
   * made; then a conversation keeps the graph that it has.
   */
  graph(scenario: Scenario, npc: Npc, info: SessionInfo): Graph | null
}

/** The deployed version of a session's scenario and graph. */
export interface Latest {
  readonly scenario: Scenario
  readonly graph: Graph
}

/**
 * Returns the deployed version of what a session is pinned to. Null if it is the same version, or there is none: the
 * scenario or the colleague is gone, or the colleague has another graph now.
 */
export function latestGraph(info: SessionInfo, catalogue: Catalogue): Latest | null {
  const scenario = catalogue.scenario(info.scenario.id)
  const npc = scenario?.npcs.find(({ id }) => id === info.npc)
  const graph = scenario && npc ? catalogue.graph(scenario, npc, info) : null
  if (!scenario || !graph || graph.id !== info.graph.id || graph.hash === info.graph.hash) return null
  return { scenario, graph }
}

/** The session when a learner's message arrives: unchanged, or migrated to the deployed version. */
export type Versioned =
  | { readonly outcome: 'moved'; readonly info: SessionInfo; readonly walk: Walk; readonly trace: readonly Trace[] }
  | { readonly outcome: 'kept'; readonly why: KeepReason }
  | Extract<Migrated, { outcome: 'refused' }>

/**
 * Migrates a session to the deployed version of its graph, if that version declares a migration for it. It is called
 * when a learner's message arrives and before the message opens a turn, so that no absent learner is moved. Graph and
 * scenario change together: a node's bindings and a colleague's knowledge belong to one version.
 *
 * @returns for `moved` the data that has to be stored, whole, before anything else. Otherwise the session continues
 *   unchanged; a refusal is for the log
 */
export function bringUpToDate(info: SessionInfo, walk: Walk, catalogue: Catalogue): Versioned {
  const latest = latestGraph(info, catalogue)
  if (!latest) return { outcome: 'kept', why: 'same-graph' }
  const migrated = migrate(walk, latest.graph)
  if (migrated.outcome !== 'moved') return migrated
  return { ...migrated, info: { ...info, ...latest } }
}
