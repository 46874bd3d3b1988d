import type { RunPlace } from '../chain/runs/run-data.ts'
import type { Graph } from '../core/graph/graph.ts'
import type { Scenario } from '../core/scenario/scenario.ts'
import type { WalkEngine } from '../core/walk/engine.ts'
import { deepFreeze } from '../deep-freeze.ts'
import type { Learner } from '../trust/learner.ts'

/**
 * The data that a conversation began with. The data is stored whole, so that a deployment changes a running
 * conversation only by a declared migration.
 */
export interface SessionInfo {
  readonly session: string
  /** The id of the conversation's log. A client with a cursor of another epoch gets the whole log. */
  readonly epoch: string
  readonly scenario: Scenario
  readonly npc: string
  readonly graph: Graph
  /** For an assistant: the graph of each agent, by the agent's id. */
  readonly agents?: Readonly<Record<string, Graph>>
  /** Which of the two walkers (`WalkEngine`) the conversation uses, from its beginning to its end. */
  readonly engine: WalkEngine
  /** The number that chose among the wordings ("framings") of the backbone. */
  readonly seed: number
  readonly person: 'new' | 'returning'
  /** The learner: verified by the host's server, or anonymous. */
  readonly learner: Learner
  /** The conversation's position in the chain; null if it is part of no run. */
  readonly run: RunPlace | null
  readonly createdAt: number
}

/**
 * Reads the stored data that a session began with. Sessions whose stored scenarios have the same text get one scenario
 * object, because caches of what an actor computes from a scenario are keyed by that object ([version-15]).
 *
 * @throws if the stored graph has a shape that this version of the code does not know
 */
export function readInfo(text: string): SessionInfo {
  const info = readWithKnownScenario(text) ?? readWhole(text)
  if (info.graph.ir !== 2) throw new Error('this version does not know the shape of the stored graph')
  return info
}

/** The most scenarios that an isolate keeps. */
export const MOST_SCENARIOS = 8

/** The scenarios of the sessions that this isolate read last, by their text. The one used last is at the end. */
const scenarios = new Map<string, Scenario>()

const SCENARIO = '"scenario":'

/** Reads a session without parsing its scenario; null if the isolate does not keep the scenario. */
function readWithKnownScenario(text: string): SessionInfo | null {
  const from = text.indexOf(SCENARIO) + SCENARIO.length
  for (const [known, scenario] of scenarios) {
    const to = from + known.length
    if (text.slice(from, to) !== known) continue
    const rest = JSON.parse(`${text.slice(0, from)}null${text.slice(to)}`) as WithoutScenario
    // If the session itself has a scenario here, the text that was left out belongs to another part of the data.
    if (rest.scenario !== null) continue
    keep(known, scenario)
    return { ...rest, scenario }
  }
  return null
}

type WithoutScenario = Omit<SessionInfo, 'scenario'> & { readonly scenario: unknown }

function readWhole(text: string): SessionInfo {
  const info = JSON.parse(text) as SessionInfo
  keep(JSON.stringify(info.scenario), deepFreeze(info.scenario))
  return info
}

function keep(text: string, scenario: Scenario): void {
  scenarios.delete(text)
  scenarios.set(text, scenario)
  for (const oldest of scenarios.keys()) if (scenarios.size > MOST_SCENARIOS) scenarios.delete(oldest)
}
