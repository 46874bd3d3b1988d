import type { Actor } from '../actor/actor.ts'
import { rememberTask } from '../core/briefing/task-remember.ts'
import { type Picked, remember, type Remembered } from '../core/memory/remembered.ts'
import { pickFromWords } from '../core/memory/told-of-themselves.ts'
import { readPicked } from '../core/reply/read-picked.ts'
import { nameOf } from '../log.ts'
import { stepped, steppedAsync } from '../steps.ts'
import type { TurnDeps } from './turn-deps.ts'
import { saidBefore } from './transcript-memory.ts'

/** The confidence in a fact that a model picked, and in a fact that the learner's own words state. */
const CONFIDENCE = { model: 0.7, rehearsal: 0.9 } as const

/** The lease of an attempt, as a multiple of the time that the attempt may take. */
const LEASE_FACTOR = 2

/** Time until the next attempt if the store failed when an attempt was claimed, in milliseconds. */
const AGAIN_MS = 5_000

/** The part of a turn's dependencies that remembering needs. */
export type RememberingDeps = Pick<
  TurnDeps,
  'info' | 'npc' | 'store' | 'actor' | 'leaseMs' | 'now' | 'after' | 'probe' | 'log'
>

/**
 * Adds the memories of an ended conversation to the queue for the chain, once. The object's alarm starts this work, so
 * the learner gets the last reply first. The actor picks the memories, and is called at most once. If the actor gives
 * no answer, or the object dies during the call, only facts that the learner's words state are remembered.
 */
export class Remembering {
  #notBefore = 0

  /**
   * Returns when to call `deliver`, in milliseconds since 1970; null before the conversation's end, and once the
   * memories are made.
   */
  nextDue({ store }: Pick<RememberingDeps, 'store'>): number | null {
    const due = store.remembering.nextDue()
    return due === null ? null : Math.max(due, this.#notBefore)
  }

  /**
   * Begins to make the memories if they are due. Returns a promise that resolves when the attempt ends, and never
   * rejects; null if nothing is due.
   */
  deliver(deps: RememberingDeps): Promise<void> | null {
    const { store, leaseMs, now, probe, log } = deps
    const at = now()
    const due = this.nextDue(deps)
    if (due === null || due > at) return null
    try {
      const attempt = stepped(probe, 'recollect', () => store.remembering.claim(at, LEASE_FACTOR * leaseMs))
      return attempt === null ? null : rememberNow(deps, attempt)
    } catch (error) {
      this.#notBefore = at + AGAIN_MS
      log('remembering-broke', { attempt: null, error: nameOf(error) })
      return null
    }
  }
}

async function rememberNow(deps: RememberingDeps, attempt: number): Promise<void> {
  const { store, now, probe, log } = deps
  try {
    const remembered = await steppedAsync(probe, 'pick', () => pickOf(deps, attempt))
    const isNew = stepped(probe, 'remember', () => store.remember(remembered, now()))
    if (isNew) log('remembered', { memories: remembered.memories.length, facts: remembered.facts.length })
  } catch (error) {
    // After this attempt's lease, another attempt makes the memories.
    log('remembering-broke', { attempt, error: nameOf(error) })
  }
}

async function pickOf(deps: RememberingDeps, attempt: number): Promise<Remembered> {
  const { store, npc, info, actor } = deps
  const said = saidBefore(store.eventsAfter(0), Number.POSITIVE_INFINITY)
  const ended = { scenario: info.scenario, npc, graph: info.graph, walk: store.walk() }
  // Only the first attempt calls the actor. If that attempt failed, its call to the model may still have cost money.
  const picked = attempt > 1 ? null : await asked(deps, () => rememberTask(ended, said), said)
  return picked
    ? remember(ended, picked, CONFIDENCE[actor.kind])
    : remember(ended, pickFromWords(said), CONFIDENCE.rehearsal)
}

async function asked(
  { actor, leaseMs, after, log }: RememberingDeps,
  task: () => Parameters<Actor['think']>[0],
  said: readonly string[],
): Promise<Picked | null> {
  const controller = new AbortController()
  const callOff = after(leaseMs, () => controller.abort())
  try {
    const picked = readPicked(await actor.think(task(), controller.signal), said)
    if (picked === null) log('picked-nothing', { error: 'unreadable' })
    return picked
  } catch (error) {
    log('picked-nothing', { error: nameOf(error) })
    return null
  } finally {
    callOff()
  }
}
