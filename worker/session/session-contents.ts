import {
  type Content,
  type ContentSources,
  keepContents,
  loadScenario,
  readBody,
  readContent,
} from '../chain/scenarios/contents.ts'
import { keptGraphs, keptScenarios } from '../chain/scenarios/kept.ts'
import type { StoredScenario } from '../chain/scenarios/stored-scenario.ts'
import type { Graph } from '../core/graph/graph.ts'
import type { Scenario } from '../core/scenario/scenario.ts'
import { deepFreeze } from '../deep-freeze.ts'
import { sha256 } from '../sha256.ts'
import { type Bound, bindGraphs } from './begin.ts'
import { type Contents, isolateContents, type Pins, type SessionFacts } from './session-info.ts'

/** The result of a load. `gone`: no source has the content with this hash. */
export type Loaded = { readonly ok: true } | { readonly ok: false; readonly gone: string }

/**
 * The contents of one conversation: its scenario and its graphs. An object holds what it has loaded, whatever else the
 * isolate reads meanwhile.
 */
export class SessionContents implements Contents {
  readonly #sources: ContentSources
  readonly #scenarios = new Map<string, Scenario>()
  readonly #graphs = new Map<string, Graph>()

  constructor(sources: ContentSources) {
    this.#sources = sources
  }

  scenario(hash: string): Scenario {
    return this.#scenarios.get(hash) ?? isolateContents.scenario(hash)
  }

  graph(hash: string): Graph {
    return this.#graphs.get(hash) ?? isolateContents.graph(hash)
  }

  /** Holds the contents if the isolate keeps all of them. Returns false if one has to be loaded. */
  hold(pins: Pins): boolean {
    const scenario = this.#scenarios.get(pins.scenario) ?? keptScenarios.get(pins.scenario)?.scenario
    if (scenario) this.#scenarios.set(pins.scenario, scenario)
    for (const hash of graphsOf(pins)) {
      const graph = this.#graphs.get(hash) ?? keptGraphs.get(hash)
      if (graph) this.#graphs.set(hash, graph)
    }
    return scenario !== undefined && graphsOf(pins).every((hash) => this.#graphs.has(hash))
  }

  /**
   * Loads the contents to which the conversation is pinned. A graph is made again from its scenario; if the result is
   * not the graph with the pinned hash, because other code made that one, the graph is read from the database
   * ([version-22]).
   *
   * @throws if a source cannot be read now
   */
  async load(pins: Pins, facts: SessionFacts): Promise<Loaded> {
    if (this.hold(pins)) return { ok: true }
    const stored = await loadScenario(this.#sources, pins.scenario)
    if (stored === null) return { ok: false, gone: pins.scenario }
    this.#scenarios.set(pins.scenario, stored.scenario)
    for (const graph of madeAgain(stored, facts)) await this.#holdGraph(graph)
    for (const hash of graphsOf(pins)) {
      const graph = this.#graphs.get(hash) ?? keptGraphs.get(hash) ?? (await readGraph(this.#sources, hash))
      if (graph === null) return { ok: false, gone: hash }
      this.#graphs.set(hash, graph)
    }
    return { ok: true }
  }

  /**
   * Returns the scenario with this hash, with the graphs that it walks; null if there is none.
   *
   * @throws if a source cannot be read now
   */
  stored(hash: string): Promise<StoredScenario | null> {
    return loadScenario(this.#sources, hash)
  }

  /**
   * Makes sure that the contents outlive the build ([version-20]), and returns their hashes. Returns null if the
   * deployment has no database: the conversation then stores them itself.
   *
   * @param hash the hash of the scenario
   * @throws if the database cannot be reached
   */
  async keep(hash: string, scenario: Scenario, { graph, agents }: Bound): Promise<Pins | null> {
    const sources = this.#sources
    const chain = await sources.chain()
    if (chain === null) return null
    this.#scenarios.set(hash, scenario)
    const own = await this.#holdGraph(graph)
    const others = await Promise.all(
      Object.entries(agents ?? {}).map(async ([id, each]) => [id, await this.#holdGraph(each)] as const),
    )
    const graphs = new Map([own, ...others.map(([, each]) => each)].map((each) => [each.hash, each]))
    const body: Content = { hash, text: async () => (await readBody(sources, hash)) ?? notThere(hash) }
    await keepContents(chain, [body, ...[...graphs.values()].map((each) => ({ ...each, text: () => each.text }))])
    return {
      scenario: hash,
      graph: own.hash,
      ...(agents && { agents: Object.fromEntries(others.map(([id, each]) => [id, each.hash])) }),
    }
  }

  async #holdGraph(graph: Graph): Promise<GraphText> {
    const text = await textOf(graph)
    if (!Object.isFrozen(graph)) deepFreeze(graph)
    this.#graphs.set(text.hash, graph)
    keptGraphs.put(text.hash, graph)
    return text
  }
}

function notThere(hash: string): never {
  throw new Error(`there is no content ${hash}`)
}

function graphsOf({ graph, agents }: Pins): readonly string[] {
  return [graph, ...Object.values(agents ?? {})]
}

interface GraphText {
  readonly hash: string
  readonly text: string
}

/** The texts of the graphs that this isolate has made. */
const texts = new WeakMap<Graph, GraphText>()

async function textOf(graph: Graph): Promise<GraphText> {
  const known = texts.get(graph)
  if (known) return known
  const text = JSON.stringify(graph)
  const made = { text, hash: await sha256(text) }
  texts.set(graph, made)
  return made
}

function madeAgain(stored: StoredScenario, facts: SessionFacts): readonly Graph[] {
  try {
    const { graph, agents } = bindGraphs(stored, facts)
    return [graph, ...Object.values(agents ?? {})]
  } catch {
    // This code may refuse a graph that earlier code has made. The database has it.
    return []
  }
}

async function readGraph(sources: ContentSources, hash: string): Promise<Graph | null> {
  const text = await readContent(sources, hash)
  return text === null ? null : deepFreeze(JSON.parse(text) as Graph)
}
