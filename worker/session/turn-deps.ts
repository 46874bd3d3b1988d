import type { Actor } from '../actor/actor.ts'
import type { SessionBudget } from '../budget/session-budget.ts'
import type { Told } from '../core/assistant/projection.ts'
import type { ToolCall } from '../core/assistant/tools.ts'
import type { Brought } from '../core/briefing/brought.ts'
import type { Npc } from '../core/scenario/scenario.ts'
import type { MemorySource } from '../core/walk/event.ts'
import type { LogEvent } from '../wire/messages.ts'
import type { CallResult, DeploymentCall } from '../outbox/call-tool.ts'
import type { Use } from './assistant/tool-calls.ts'
import type { SessionInfo } from './session-info.ts'
import type { SessionStore } from './session-store.ts'
import type { StoredTurn } from './turn.ts'
import type { Probe } from '../steps.ts'

/**
 * Everything that a turn needs from the conversation's object. The dependencies stay the same while the conversation is
 * pinned to the same version.
 */
export interface TurnDeps {
  readonly info: SessionInfo
  readonly npc: Npc
  readonly store: SessionStore
  readonly actor: Actor
  /** Decides whether another turn may begin. */
  readonly budget: Pick<SessionBudget, 'refusal' | 'turnBegins'>
  memory(turn: StoredTurn): MemorySource
  /**
   * Returns what the colleague is told about the learner's other conversations; null for nothing. If the method is
   * missing, the colleague is told nothing about them.
   */
  brought?(turn: StoredTurn): Promise<Brought | null>
  /**
   * Lets the deployment's server run a tool. Missing if the deployment has named no server.
   */
  callTool?(call: DeploymentCall, signal: AbortSignal): Promise<CallResult>
  /** Returns the line that the model must write between the speech and the report of its next reply. */
  separator(): string
  /** The lease of a turn, in milliseconds: how long it may run without progress before it is aborted. */
  readonly leaseMs: number
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number
  /** Runs `task` in `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void
  sendEvents(events: readonly LogEvent[]): void
  /** Called at every step of a turn, in test builds only. */
  readonly probe: Probe
  /** Writes one structured log line of ids, numbers and fixed names, without any text of the conversation. */
  log(event: string, ids: Readonly<Record<string, string | number | null>>): void
}

/**
 * The dependencies that a turn needs until its end is written. A test can provide them for a conversation that is not
 * stored.
 */
export type ConverseDeps = Pick<
  TurnDeps,
  'info' | 'npc' | 'actor' | 'memory' | 'brought' | 'separator' | 'now' | 'after' | 'probe'
> & {
  /** For an agent of an assistant: exactly what the agent may know in this turn. */
  readonly told?: Told
  readonly store: Pick<SessionStore, 'walk' | 'eventsAfter' | 'reports' | 'recorded'>
  /** Uses the tools of a state before its reply. Missing if the conversation is not stored: then none is used. */
  useTools?(use: StateUse, signal: AbortSignal): Promise<'parked' | 'aborted' | Used>
}

/** The use of a state's tools for one reply. */
export type StateUse = Omit<Use, 'agent'>

/** The calls of a turn, and for an agent of an assistant what it is told after them. */
export interface Used {
  readonly used: readonly ToolCall[]
  readonly told?: Told
}
