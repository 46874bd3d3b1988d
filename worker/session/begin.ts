import type { RunPlace } from '../chain/runs/run-data.ts'
import type { Npc, Scenario } from '../core/scenario/scenario.ts'
import { beginWalk, type WalkEngine } from '../core/walk/engine.ts'
import type { Learner } from '../trust/learner.ts'
import type { SessionStore } from './session-store.ts'
import type { Graph } from '../core/graph/graph.ts'
import { graphFor, type GraphLibrary } from '../core/graph/graph-for.ts'
import { legacyGraphFor } from '../core/walk/legacy-graph.ts'

/** The data that a conversation begins with. */
export interface Opening {
  readonly session: string
  readonly epoch: string
  readonly scenario: Scenario
  readonly npc: string
  readonly library: GraphLibrary
  readonly engine: WalkEngine
  /** The number that chooses among the wordings ("framings") of a backbone: a whole number from 0. */
  readonly seed: number
  readonly person: 'new' | 'returning'
  readonly learner: Learner
  readonly run: RunPlace | null
}

/**
 * Begins a conversation: chooses the colleague's graph and puts the walk at its entry. The scenario and the graph are
 * stored whole with the conversation, so that a deployment does not change them.
 *
 * @throws if the scenario does not have the colleague, or the colleague's graph has errors
 */
export function beginSession(store: SessionStore, opening: Opening, at: number): void {
  const { scenario, session, epoch, engine, seed, person, learner, run } = opening
  const npc = scenario.npcs.find(({ id }) => id === opening.npc)
  if (!npc) throw new Error(`scenario ${scenario.id} has no such colleague`)
  const graph = chooseGraph(scenario, npc, opening)
  if (!graph) throw new Error(`scenario ${scenario.id} cannot be walked`)
  const agents = scenario.assistant && agentGraphs(scenario, opening)
  const pinned = { scenario, npc: npc.id, graph, ...(agents && { agents }), engine, seed, person }
  const info = { session, epoch, ...pinned, learner, run, createdAt: at }
  const first = graph.opening ? [{ type: 'opening', turn: 0, text: graph.opening.text } as const] : []
  store.create(info, beginWalk(engine, graph, person), first)
}

function agentGraphs(scenario: Scenario, opening: Opening): Readonly<Record<string, Graph>> {
  return Object.fromEntries(
    scenario.npcs.map((npc) => {
      const graph = chooseGraph(scenario, npc, opening)
      if (!graph) throw new Error(`the agent ${npc.id} of ${scenario.id} cannot be walked`)
      return [npc.id, graph]
    }),
  )
}

/**
 * Returns true if the legacy engine, which counts exchanges, can walk a conversation with a colleague. The legacy
 * engine can walk only a tier's backbone.
 */
export function canCount(npc: Npc): boolean {
  return npc.walk === 'tier'
}

/** Returns the graph that a conversation with a colleague walks; null if the graph has an error. */
export function chooseGraph(
  scenario: Scenario,
  npc: Npc,
  chosen: { engine: WalkEngine; seed: number; library: GraphLibrary },
): Graph | null {
  if (chosen.engine === 'legacy') return legacyGraphFor(scenario, npc)
  const made = graphFor(scenario, npc, chosen.library, chosen.seed)
  return made.ok ? made.graph : null
}
