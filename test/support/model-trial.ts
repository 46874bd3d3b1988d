import { createOpenAiActor } from '../../worker/actor/openai-actor.ts'
import type { OpenAiActorOptions } from '../../worker/actor/openai-actor.ts'
import type { Actor } from '../../worker/actor/actor.ts'
import { ManualClock } from './manual-clock.ts'
import { startModelServer } from './model-server.ts'
import type { ModelHandler, ModelServer } from './model-server.ts'

/**
 * The two time limits of a trial's actor, in milliseconds of the trial's own clock: how long the model may send
 * nothing, and how long the whole reply may take.
 */
export const IDLE_MS = 1_000
export const OVERALL_MS = 10_000
/** An API key. No output may contain it. */
export const KEY = 'sk-canary-6b1f9e'

/**
 * Returns how often a trial's actor has read the time when it waits for the `count`th time: for the headers first, then
 * for each piece of the body. It reads the time twice before it waits, and once as each wait begins.
 */
export function waits(count: number): number {
  return count + 2
}

/** A scripted server, an actor that sends its requests to this server, and the clock of the actor. */
export interface Trial {
  readonly server: ModelServer
  readonly actor: Actor
  readonly clock: ManualClock
}

/** Starts a server with this script, and an actor that uses this server. The caller closes the server. */
export async function startTrial(handler: ModelHandler, options: Partial<OpenAiActorOptions> = {}): Promise<Trial> {
  const server = await startModelServer(handler, { key: KEY })
  const clock = new ManualClock()
  return { server, clock, actor: trialActor(server.url, { clock, ...options }) }
}

export function trialActor(baseURL: string, options: Partial<OpenAiActorOptions> = {}): Actor {
  return createOpenAiActor({
    baseURL,
    model: 'scripted',
    apiKey: KEY,
    idleTimeoutMs: IDLE_MS,
    overallTimeoutMs: OVERALL_MS,
    maxOutputTokens: 321,
    maxOutputCharacters: 2_000,
    ...options,
  })
}
