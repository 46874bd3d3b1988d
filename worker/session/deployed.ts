import { graphLibrary, scenarios } from '../../build/scenarios.ts'
import { chooseGraph } from './begin.ts'
import type { Catalogue } from './versions.ts'

/** The scenarios and graphs that this deployment was built with. */
export const deployed: Catalogue = {
  scenario: (id) => scenarios.find((scenario) => scenario.id === id) ?? null,
  graph: (scenario, npc, { engine, seed }) => chooseGraph(scenario, npc, { engine, seed, library: graphLibrary }),
}
