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
   * The graph for a colleague, made for this session: in its framing, with its engine. Null when none can be made,
   * which is no reason to disturb a conversation that has one.
   */
  graph(scenario: Scenario, npc: Npc, info: SessionInfo): Graph | null
}

/** The deployed version of a session's scenario and graph. */
export interface Latest {
  readonly scenario: Scenario
  readonly graph: Graph
}

/**
 * The deployed version of what a session is pinned to, or null when it is the very same or there is none: the
 * scenario or the colleague is gone, or another graph walks them now.
 */
export function latestGraph(info: SessionInfo, catalogue: Catalogue): Latest | null {
  const scenario = catalogue.scenario(info.scenario.id)
  const npc = scenario?.npcs.find(({ id }) => id === info.npc)
  const graph = scenario && npc ? catalogue.graph(scenario, npc, info) : null
  if (!scenario || !graph || graph.id !== info.graph.id || graph.hash === info.graph.hash) return null
  return { scenario, graph }
}

/** The session that a learner's message finds: unchanged, or migrated to the deployed version. */
export type Versioned =
  | { readonly outcome: 'moved'; readonly info: SessionInfo; readonly walk: Walk; readonly trace: readonly Trace[] }
  | { readonly outcome: 'kept'; readonly why: KeepReason }
  | Extract<Migrated, { outcome: 'refused' }>

/**
 * Takes a session over to the deployed version of its graph, where that version declares a migration for it. Asked
 * when a learner's message comes and before it opens a turn, so that nobody is moved who is not there. Graph and
 * scenario go together: what a node is bound to and what a colleague knows are of one version.
 *
 * @returns for `moved` what has to be stored, whole, before anything is done with it. Otherwise the session goes on as
 * it stands; a refusal is for the log.
 */
export function bringUpToDate(info: SessionInfo, walk: Walk, catalogue: Catalogue): Versioned {
  const latest = latestGraph(info, catalogue)
  if (!latest) return { outcome: 'kept', why: 'same-graph' }
  const migrated = migrate(walk, latest.graph)
  if (migrated.outcome !== 'moved') return migrated
  return { ...migrated, info: { ...info, ...latest } }
}
