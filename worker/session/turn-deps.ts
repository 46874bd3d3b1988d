import type { Actor } from '../actor/actor.ts'
import type { SessionBudget } from '../budget/session-budget.ts'
import type { Npc } from '../core/scenario/scenario.ts'
import type { MemorySource } from '../core/walk/event.ts'
import type { LogEvent } from '../wire/messages.ts'
import type { SessionInfo } from './session-info.ts'
import type { SessionStore } from './session-store.ts'
import type { StoredTurn } from './turn.ts'
import type { Probe } from '../steps.ts'

/** Everything a turn needs from the object it runs in. It stays the same for as long as what the conversation is pinned to. */
export interface TurnDeps {
  readonly info: SessionInfo
  readonly npc: Npc
  readonly store: SessionStore
  readonly actor: Actor
  /** Tells whether another turn may begin. */
  readonly budget: Pick<SessionBudget, 'refusal' | 'turnBegins'>
  /** The memories that a turn can search. */
  memory(turn: StoredTurn): MemorySource
  /** The line that the next reply's two parts are divided by. */
  separator(): string
  /** How long a turn may run before it is called off, in milliseconds. */
  readonly leaseMs: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Runs `task` in `ms` milliseconds; calling what it returns calls it off. */
  after(ms: number, task: () => void): () => void
  /** To every connected client. */
  sendEvents(events: readonly LogEvent[]): void
  /** Called at every step of a turn; nothing but in a build for tests. */
  readonly probe: Probe
  /** One structured line: numbers and names of cases, never words anybody said. */
  log(event: string, ids: Readonly<Record<string, string | number | null>>): void
}

/** The part that a turn needs until it is written: a conversation that is not stored has this much too. */
export type ConverseDeps = Pick<
  TurnDeps,
  'info' | 'npc' | 'actor' | 'memory' | 'separator' | 'now' | 'after' | 'probe'
> & { readonly store: Pick<SessionStore, 'walk' | 'eventsAfter' | 'reports' | 'recorded'> }
