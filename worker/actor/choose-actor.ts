import type { Config } from '../env.ts'
import type { Actor } from './actor.ts'
import { createOpenAiActor } from './openai-actor.ts'
import { createRehearsalActor, type Pace, type RehearsalOptions } from './rehearsal-actor.ts'
import { systemClock } from '../clock.ts'

/** Returns the actor of this deployment: the configured model, or else the rehearsal actor. */
export function chooseActor({ speaker }: Config, rehearsal: RehearsalOptions): Actor {
  return speaker.kind === 'model' ? createOpenAiActor(speaker) : createRehearsalActor(rehearsal)
}

/**
 * Returns a pace that waits `ms` milliseconds before each word; with 0 it never waits. The pace ignores its `signal`,
 * because the actor itself handles an abort.
 */
export function createPace(ms: number): Pace {
  if (ms === 0) return () => Promise.resolve()
  return () => new Promise((resolve) => systemClock.after(ms, resolve))
}
