import { backboneOf, graphFor, type GraphLibrary } from '../../core/graph/graph-for.ts'
import { canonical } from '../../core/graph/hash.ts'
import type { Scenario } from '../../core/scenario/scenario.ts'

/** A scenario, and the graphs that its colleagues walk. */
export interface StoredScenario {
  readonly scenario: Scenario
  readonly library: GraphLibrary
}

/**
 * Returns the text under whose SHA-256 a scenario is stored: JSON with sorted keys. Equal scenarios have equal texts,
 * whatever else their libraries hold.
 */
export function bodyOf({ scenario, library }: StoredScenario): string {
  return canonical({ scenario, library: walkedIn(scenario, library) })
}

/**
 * Returns the part of a library that a scenario's colleagues walk: their backbones, and their context graphs with every
 * graph that these refer to.
 */
export function walkedIn(scenario: Scenario, library: GraphLibrary): GraphLibrary {
  const { npcs } = scenario
  const backbones = new Set(npcs.map((npc) => backboneOf(scenario, npc, library.backbones)))
  const graphs = npcs.flatMap((npc) => {
    const made = typeof npc.walk === 'object' ? graphFor(scenario, npc, library) : null
    return made?.ok ? Object.values(made.graph.modules) : []
  })
  return {
    backbones: library.backbones.filter((each) => backbones.has(each)),
    documents: library.documents.filter((each) =>
      graphs.some(({ graph, version }) => graph === each.id && version === each.version),
    ),
  }
}
