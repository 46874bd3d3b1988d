import { simulationCard } from '../sims/simulation-card.ts'
import type { Scenario } from '../worker/core/scenario/scenario.ts'
import { writeBuilt } from './write-built.ts'

/** Writes what anybody may know of the simulations as one file of JSON, for the library of the game. */
export async function buildCards(scenarios: readonly Scenario[], out: string): Promise<void> {
  const cards = scenarios.map(simulationCard).filter((card) => card !== null)
  await writeBuilt(out, JSON.stringify(cards))
}
