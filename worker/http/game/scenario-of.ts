import { scenarios } from '../../../build/scenarios.ts'
import type { Scenario, Simulation } from '../../core/scenario/scenario.ts'

/** A scenario that is played to a decision. */
export type Playable = Scenario & { readonly simulation: Simulation }

/** The simulation of this name; undefined for one that is not there, or is conversations only. */
export function simulationOf(id: string): Playable | undefined {
  return scenarios.filter(isPlayable).find((scenario) => scenario.id === id)
}

function isPlayable(scenario: Scenario): scenario is Playable {
  return scenario.simulation !== undefined
}
