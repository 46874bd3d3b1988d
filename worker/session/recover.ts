import type { LogEvent } from '../wire/messages.ts'
import { openTurn } from './open-turn.ts'
import { failed } from './run-turn.ts'
import type { StoredTurn } from './session-store.ts'
import type { Stage } from './stage.ts'

/** How often a turn is spoken anew after its runner died, before it ends as failed. */
const MAX_ATTEMPTS = 2

/**
 * Brings a turn back that is running in the store while nobody runs it. A new attempt voids what was shown of the
 * one before; after the last one the turn ends as failed, with a line in character, and can be tried again.
 *
 * @returns what to tell the clients and which turn to run, or null when nothing is left running.
 */
export function recover(stage: Stage): { events: readonly LogEvent[]; turn: StoredTurn | null } | null {
  const { store } = stage
  const last = store.lastTurn()
  if (last?.status !== 'running') return null
  const at = stage.now()
  if (last.attempt >= MAX_ATTEMPTS) {
    const events = store.endTurn(failed(stage, last), at)
    return events && { events, turn: null }
  }
  return store.beginAttempt(last, openTurn(stage, store.walk(), last.id).walk, null, at, at + stage.leaseMs)
}
