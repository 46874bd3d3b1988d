import type { Context } from 'hono'
import { scenarios } from '../../../build/scenarios.ts'
import { ChainError } from '../../chain/chain-error.ts'
import type { Scenario, Simulation } from '../../core/scenario/scenario.ts'
import { errorBody, refused } from '../errors.ts'

/** How long somebody waits whose records are being erased, in milliseconds. */
const ERASURE_RETRY_MS = 5_000
/** The same where too many wrote at once. */
const BUSY_RETRY_MS = 1_000

/** A run that was erased, or forgotten with age. */
export function unknownRun(c: Context): Response {
  return c.json(errorBody('start-over', 'unknown-run', 'This run is not there any more. Begin a new one.'), 404)
}

/** A simulation that is not there, or not any more. */
export function unknownScenario(c: Context): Response {
  return c.json(errorBody('start-over', 'unknown-scenario', 'There is no such simulation.'), 404)
}

export function malformed(c: Context, sentence: string): Response {
  return c.json(errorBody('give-up', 'malformed', sentence), 400)
}

/** What the chain refused for now. @throws whatever else it was */
export function notNow(c: Context, error: unknown): Response {
  if (!(error instanceof ChainError)) throw error
  if (error.code === 'ERASURE_RUNNING') return refused(c, 'unavailable', ERASURE_RETRY_MS)
  if (error.code === 'BUSY') return refused(c, 'unavailable', BUSY_RETRY_MS)
  throw error
}

/** A class that is not there, or not any more. */
export function unknownClass(c: Context): Response {
  return c.json(errorBody('give-up', 'unknown-class', 'There is no such class.'), 404)
}

/** A scenario that is played to a decision. */
export type Playable = Scenario & { readonly simulation: Simulation }

/** The simulation of this name; undefined for one that is not there, or is conversations only. */
export function simulationOf(id: string): Playable | undefined {
  return scenarios.filter(isPlayable).find((scenario) => scenario.id === id)
}

function isPlayable(scenario: Scenario): scenario is Playable {
  return scenario.simulation !== undefined
}
