import { builtScenarios } from '../../build/catalogue.ts'
import type { StoredScenario } from '../chain/scenarios/stored-scenario.ts'
import { chooseGraph } from './begin.ts'
import type { Catalogue } from './versions.ts'

/** Returns the hash of the scenario that this deployment was built with; null if it has no scenario with this id. */
export function deployedHash(id: string): string | null {
  return builtScenarios.find((built) => built.id === id)?.hash ?? null
}

/** Returns the catalogue of a deployment that was built with this scenario. */
export function catalogueOf({ scenario, library }: StoredScenario): Catalogue {
  return {
    scenario: (id) => (scenario.id === id ? scenario : null),
    graph: (newest, npc, { engine, seed }) => chooseGraph(newest, npc, { engine, seed, library }),
  }
}
