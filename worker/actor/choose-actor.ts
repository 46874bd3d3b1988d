import type { Config } from '../env.ts'
import type { Actor } from './actor.ts'
import { createOpenAiActor } from './openai-actor.ts'
import { createRehearsalActor, type Pace } from './rehearsal-actor.ts'
import { systemClock } from '../clock.ts'

export interface ChooseActorOptions {
  /** How long the rehearsal actor waits between words; resolves when the next may come. A model sets its own pace. */
  readonly pace: Pace
}

/** Who speaks in this deployment: the model that is configured, or else the rehearsal actor. */
export function chooseActor({ speaker }: Config, { pace }: ChooseActorOptions): Actor {
  return speaker.kind === 'model' ? createOpenAiActor(speaker) : createRehearsalActor({ pace })
}

/** Makes a pause of `ms` milliseconds before each word; with 0 there is none. The actor itself heeds the abort. */
export function createPace(ms: number): Pace {
  if (ms === 0) return () => Promise.resolve()
  return () => new Promise((resolve) => systemClock.after(ms, resolve))
}
