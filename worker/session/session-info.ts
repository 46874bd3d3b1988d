import type { RunPlace } from '../chain/runs/run-data.ts'
import { keptGraphs, keptScenarios } from '../chain/scenarios/kept.ts'
import type { Graph } from '../core/graph/graph.ts'
import type { Scenario } from '../core/scenario/scenario.ts'
import type { WalkEngine } from '../core/walk/engine.ts'
import { deepFreeze } from '../deep-freeze.ts'
import type { Learner } from '../trust/learner.ts'

/**
 * The data that a conversation began with. A deployment changes a running conversation only by a declared migration.
 * Scenario and graphs are contents: many sessions share them, so a session stores only their hashes (`Pins`), if the
 * deployment has a database that keeps the contents. Otherwise a session stores everything.
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

/** The contents to which a session is pinned, by the SHA-256 of their texts. */
export interface Pins {
  /** The scenario, with the graphs that its colleagues walk, as `bodyOf` writes it. */
  readonly scenario: string
  readonly graph: string
  readonly agents?: Readonly<Record<string, string>>
}

/** What a session stores of itself besides its contents. */
export type SessionFacts = Omit<SessionInfo, 'scenario' | 'graph' | 'agents'> & {
  readonly scenario: Pick<Scenario, 'id' | 'version'>
}

/** The contents that the reader of a session has. */
export interface Contents {
  /** @throws ContentMissing */
  scenario(hash: string): Scenario
  /** @throws ContentMissing */
  graph(hash: string): Graph
}

/** A content is not there now. Nothing is lost: it can be loaded later. */
export class ContentMissing extends Error {
  override readonly name = 'ContentMissing'

  constructor() {
    super('a content of this conversation is not loaded')
  }
}

/** The contents that the isolate keeps. */
export const isolateContents: Contents = {
  scenario: (hash) => there(keptScenarios.get(hash)?.scenario),
  graph: (hash) => there(keptGraphs.get(hash)),
}

function there<T>(content: T | null | undefined): T {
  if (content === null || content === undefined) throw new ContentMissing()
  return content
}

/** A stored session with pins begins with this text. A session that was stored whole begins otherwise. */
const PINS = '{"pins":'

/** @param pins null to store the session whole */
export function writeInfo(info: SessionInfo, pins: Pins | null): string {
  if (pins === null) return JSON.stringify(info)
  const { scenario, graph: _graph, agents: _agents, ...facts } = info
  const { id, version, simulation, assistant } = scenario
  // SQL reads whether the scenario is a simulation or an assistant (`CopyStore.canCopy`).
  const kind = { ...(simulation && { simulation: true }), ...(assistant && { assistant: true }) }
  return JSON.stringify({ pins, ...facts, scenario: { id, version, ...kind } })
}

/** Returns the contents to which a stored session is pinned; null if the session is stored whole. */
export function pinsOf(text: string): Pins | null {
  return text.startsWith(PINS) ? (JSON.parse(text) as { readonly pins: Pins }).pins : null
}

/** Reads what a session stores of itself. Needs no content. */
export function readFacts(text: string): SessionFacts {
  if (!text.startsWith(PINS)) return readInfo(text)
  const { pins: _pins, ...facts } = JSON.parse(text) as SessionFacts & { readonly pins: Pins }
  return facts
}

/**
 * Reads the stored data that a session began with. Sessions with the same scenario get one scenario object, because
 * caches of what an actor computes from a scenario are keyed by that object ([version-15]).
 *
 * @throws if the stored graph has a shape that this version of the code does not know
 * @throws ContentMissing
 */
export function readInfo(text: string, contents: Contents = isolateContents): SessionInfo {
  const info = readPinned(text, contents) ?? readWithKnownScenario(text) ?? readWhole(text)
  if (info.graph.ir !== 2) throw new Error('this version does not know the shape of the stored graph')
  return info
}

function readPinned(text: string, contents: Contents): SessionInfo | null {
  const pins = pinsOf(text)
  if (pins === null) return null
  const agents =
    pins.agents &&
    Object.fromEntries(Object.entries(pins.agents).map(([id, hash]) => [id, contents.graph(hash)] as const))
  return {
    ...readFacts(text),
    scenario: contents.scenario(pins.scenario),
    graph: contents.graph(pins.graph),
    ...(agents && { agents }),
  }
}

const SCENARIO = '"scenario":'

/** Reads a session that is stored whole without parsing its scenario; null if the isolate does not keep the scenario. */
function readWithKnownScenario(text: string): SessionInfo | null {
  const from = text.indexOf(SCENARIO) + SCENARIO.length
  for (const known of keptScenarios.keys()) {
    const to = from + known.length
    if (text.slice(from, to) !== known) continue
    const rest = JSON.parse(`${text.slice(0, from)}null${text.slice(to)}`) as WithoutScenario
    // If the session itself has a scenario here, the text that was left out belongs to another part of the data.
    if (rest.scenario !== null) continue
    const kept = keptScenarios.get(known)
    if (kept) return { ...rest, scenario: kept.scenario }
  }
  return null
}

type WithoutScenario = Omit<SessionInfo, 'scenario'> & { readonly scenario: unknown }

function readWhole(text: string): SessionInfo {
  const info = JSON.parse(text) as SessionInfo
  const scenario = deepFreeze(info.scenario)
  keptScenarios.put(JSON.stringify(scenario), { scenario, library: { backbones: [], documents: [] } })
  return info
}
