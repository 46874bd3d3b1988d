import { scenarios } from '../../../build/scenarios.ts'
import type { Scenario } from '../../../worker/core/scenario/scenario.ts'
import type { SessionEvent } from '../../../worker/chain/session-events.ts'
import { applyEvents } from '../../../worker/chain/runs/apply-events.ts'
import { openPlay, type PlayOpened } from '../../../worker/chain/runs/open-play.ts'
import { startRun } from '../../../worker/chain/runs/start-run.ts'
import type { Scope } from '../../../worker/chain/scope.ts'
import { beginning } from './runs.ts'

const found = scenarios.find(({ id }) => id === 'launch-decision')
if (!found) throw new Error('the launch decision is not there')
export const LAUNCH: Scenario = found

/** The id and the learner of a run, as the run key identifies them. */
export interface Started {
  readonly id: string
  readonly learner: { readonly kind: 'verified'; readonly id: string }
}

/** Starts a run of the launch decision. @throws when the chain refuses */
export async function started(scope: Scope, { learner = 'ada' }: { learner?: string } = {}): Promise<Started> {
  const who = { kind: 'verified', id: learner } as const
  const run = await startRun(scope, { scenario: LAUNCH, learner: who, nickname: 'Moth', class: null })
  if (!run.ok) throw new Error(run.why)
  return { id: run.run, learner: who }
}

let sessions = 0

/** Opens the conversation with a colleague. If this conversation has not begun, it begins with a new session's id. */
export function opening(scope: Scope, run: Started, npc: string): Promise<PlayOpened> {
  sessions += 1
  const session = `e${sessions.toString(16).padStart(63, '0')}`
  return openPlay(scope, { ...beginning(session, npc, { learner: run.learner.id }), run: run.id })
}

/**
 * Returns the session of the conversation with a colleague, and begins the conversation if there is none. @throws when
 * the chain refuses
 */
export async function played(scope: Scope, run: Started, npc: string): Promise<string> {
  const opened = await opening(scope, run, npc)
  if (!opened.ok) throw new Error(opened.why)
  return opened.play.session
}

/** Delivers a conversation's first events. */
export async function brings(scope: Scope, session: string, events: readonly SessionEvent[]): Promise<void> {
  const applied = await applyEvents(scope, session, 1, events)
  if (applied.type !== 'applied') throw new Error(applied.type)
}

/** Returns the event that says which facts the learner heard at a time. */
export const heard = (at: number, ...facts: readonly string[]): SessionEvent => ({
  type: 'heard',
  facts: facts.map((fact) => ({ fact, said: `So much for ${fact}.`, turn: 1 })),
  at,
})
