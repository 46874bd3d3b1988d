import type { Context } from 'hono'
import { WRONG_CODES_MS } from '../../chain/classes/classes.ts'
import { ChainError } from '../../chain/chain-error.ts'
import type { StoredScenario } from '../../chain/scenarios/stored-scenario.ts'
import { needsModel, type Scenario, type Simulation } from '../../core/scenario/scenario.ts'
import type { Config } from '../../env.ts'
import { errorBody, refused } from '../errors.ts'

/** When a client should retry while the learner's records are being erased, in milliseconds. */
const ERASURE_RETRY_MS = 5_000
/** When a client should retry if other requests have changed the same data at the same time, in milliseconds. */
const BUSY_RETRY_MS = 1_000

/** Returns the answer for a run that no longer exists. */
export function unknownRun(c: Context): Response {
  return c.json(errorBody('start-over', 'unknown-run', 'This run is not there any more. Begin a new one.'), 404)
}

/** Returns the answer for a simulation that does not exist, or no longer exists. */
export function unknownScenario(c: Context): Response {
  return c.json(errorBody('start-over', 'unknown-scenario', 'There is no such simulation.'), 404)
}

export function malformed(c: Context, sentence: string): Response {
  return c.json(errorBody('give-up', 'malformed', sentence), 400)
}

/**
 * Returns the answer for a request that the chain refused only for now: the learner's records are being erased, or too
 * many requests write at once.
 *
 * @throws `error` itself, if it is anything else
 */
export function notNow(c: Context, error: unknown): Response {
  if (!(error instanceof ChainError)) throw error
  if (error.code === 'ERASURE_RUNNING') return refused(c, 'unavailable', ERASURE_RETRY_MS)
  if (error.code === 'BUSY') return refused(c, 'unavailable', BUSY_RETRY_MS)
  throw error
}

/** Returns the answer for a class that does not exist, or no longer exists. */
export function unknownClass(c: Context): Response {
  return c.json(errorBody('give-up', 'unknown-class', 'There is no such class.'), 404)
}

/** Returns the answer for a client that has tried too many wrong codes of classes ([class-12]). */
export function tooManyCodes(c: Context): Response {
  c.header('Retry-After', String(WRONG_CODES_MS / 1_000))
  const sentence = 'Too many wrong codes came from this network. Wait ten minutes, then try again.'
  return c.json(errorBody('retry-after', 'too-many-codes', sentence, WRONG_CODES_MS), 429)
}

/** A scenario that a learner plays to a decision. */
export type Playable = Scenario & { readonly simulation: Simulation }

/** Returns a scenario that is played to a decision; undefined if there is no scenario, or if it has no decision. */
export function simulationIn(stored: StoredScenario | null): Playable | undefined {
  return stored && isPlayable(stored.scenario) ? stored.scenario : undefined
}

/** Returns true if only a model can speak in a scenario, and the deployment has none ([authoring-13]). */
export function lacksModel(scenario: Scenario, { speaker }: Pick<Config, 'speaker'>): boolean {
  return speaker.kind !== 'model' && isForModels(scenario)
}

/** What `needsModel` returned for the scenarios that this isolate keeps. */
const forModels = new WeakMap<Scenario, boolean>()

function isForModels(scenario: Scenario): boolean {
  const known = forModels.get(scenario) ?? needsModel(scenario)
  forModels.set(scenario, known)
  return known
}

function isPlayable(scenario: Scenario): scenario is Playable {
  return scenario.simulation !== undefined
}
