import type { RunPlace } from '../chain/runs/run-data.ts'
import type { StoredScenario } from '../chain/scenarios/stored-scenario.ts'
import type { Npc, Scenario } from '../core/scenario/scenario.ts'
import { beginWalk, type WalkEngine } from '../core/walk/engine.ts'
import type { Learner } from '../trust/learner.ts'
import type { Pins, SessionInfo } from './session-info.ts'
import type { SessionStore } from './session-store.ts'
import type { Graph } from '../core/graph/graph.ts'
import { graphFor, type GraphLibrary, variantOf } from '../core/graph/graph-for.ts'
import { legacyGraphFor } from '../core/walk/legacy-graph.ts'
import { deepFreeze } from '../deep-freeze.ts'

/** The data that a conversation begins with. */
export interface Opening {
  readonly session: string
  readonly epoch: string
  /** The hash of the scenario. The object reads the scenario itself ([version-19]). */
  readonly content: string
  readonly npc: string
  readonly engine: WalkEngine
  /** The number that chooses among the wordings ("framings") of a backbone: a whole number from 0. */
  readonly seed: number
  readonly person: 'new' | 'returning'
  readonly learner: Learner
  readonly run: RunPlace | null
}

/** The graph of a conversation, and for an assistant the graph of each agent. */
export type Bound = Pick<SessionInfo, 'graph' | 'agents'>

/**
 * Begins a conversation: puts the walk at the entry of the colleague's graph. The conversation is pinned to its scenario
 * and its graph, so that a deployment does not change them.
 *
 * @param pins the hashes under which the database keeps scenario and graphs; null to store them with the conversation
 */
export function beginSession(
  store: SessionStore,
  opening: Opening,
  { scenario, bound, pins }: { readonly scenario: Scenario; readonly bound: Bound; readonly pins: Pins | null },
  at: number,
): void {
  const { session, epoch, npc, engine, seed, person, learner, run } = opening
  const info = { session, epoch, scenario, npc, ...bound, engine, seed, person, learner, run, createdAt: at }
  const { graph } = bound
  const first = graph.opening ? [{ type: 'opening', turn: 0, text: graph.opening.text } as const] : []
  store.create(info, beginWalk(engine, graph, person), first, pins)
}

/**
 * Chooses the graphs of a conversation.
 *
 * @throws if the scenario does not have the colleague, or a colleague's graph has errors
 */
export function bindGraphs({ scenario, library }: StoredScenario, chosen: Chosen & { readonly npc: string }): Bound {
  const npc = scenario.npcs.find(({ id }) => id === chosen.npc)
  if (!npc) throw new Error(`scenario ${scenario.id} has no such colleague`)
  const graphOf = (each: Npc): Graph => {
    const graph = chooseGraph(scenario, each, { ...chosen, library })
    if (!graph) throw new Error(`${each.id} of ${scenario.id} cannot be walked`)
    return graph
  }
  const graph = graphOf(npc)
  return scenario.assistant
    ? { graph, agents: Object.fromEntries(scenario.npcs.map((each) => [each.id, graphOf(each)])) }
    : { graph }
}

/**
 * Returns true if the legacy engine, which counts exchanges, can walk a conversation with a colleague. The legacy
 * engine can walk only a tier's backbone.
 */
export function canCount(npc: Npc): boolean {
  return npc.walk === 'tier'
}

interface Chosen {
  readonly engine: WalkEngine
  readonly seed: number
}

interface Made {
  readonly library: GraphLibrary
  readonly graphs: Map<string, Graph | null>
}

/** The graphs that this isolate has made, for each scenario that it keeps. */
const made = new WeakMap<Scenario, Made>()

/**
 * Returns the graph that a conversation with a colleague walks; null if the graph has an error. An isolate makes each
 * graph once; the graph is frozen.
 */
export function chooseGraph(
  scenario: Scenario,
  npc: Npc,
  { engine, seed, library }: Chosen & { readonly library: GraphLibrary },
): Graph | null {
  const before = made.get(scenario)
  const { graphs } = before?.library === library ? before : { graphs: new Map<string, Graph | null>() }
  made.set(scenario, { library, graphs })
  const variant = engine === 'legacy' ? 0 : variantOf(scenario, npc, library, seed)
  const key = `${engine} ${variant} ${npc.id}`
  const found = graphs.get(key)
  if (found !== undefined) return found
  const graph = engine === 'legacy' ? legacyGraphFor(scenario, npc) : graphIn(scenario, npc, library, seed)
  graphs.set(key, graph && deepFreeze(graph))
  return graph
}

function graphIn(scenario: Scenario, npc: Npc, library: GraphLibrary, seed: number): Graph | null {
  const result = graphFor(scenario, npc, library, seed)
  return result.ok ? result.graph : null
}
