import type { Briefing } from '../core/briefing/briefing.ts'
import type { PickTask, Task } from '../core/briefing/task.ts'

/**
 * An actor speaks a colleague's lines. It returns one reply as pieces of text: speech, separator, report. It has no
 * access to the walk, the socket or the store.
 */
export interface Actor {
  readonly kind: 'rehearsal' | 'model'
  /** The name shown to people: "rehearsal actor" or the model's name. */
  readonly label: string
  /**
   * Speaks one reply.
   *
   * @param tell called once with the usage when the call is over, however it ended; an actor without a model never
   * calls it
   * @throws ActorError if the model gives no reply or breaks it off; pieces returned before that stay valid
   */
  speak(briefing: Briefing, signal: AbortSignal, tell?: (usage: Usage) => void): AsyncIterable<string>
  /**
   * Does a task and returns its answer as text. The caller checks the answer.
   *
   * @throws ActorError if the model gives no answer
   */
  think(task: Task | PickTask, signal: AbortSignal, tell?: (usage: Usage) => void): Promise<string>
}

/** The usage of one call to a model, as far as it is known. */
export interface Usage {
  /**
   * `free`: the model did no work, because no request was sent or the status was not 2xx. `whole`: the model finished
   * its reply. `broken`: the call was broken off, by either side.
   */
  readonly end: 'free' | 'whole' | 'broken'
  /** The server's final token count; null if it sent none. */
  readonly counted: { readonly input: number; readonly output: number } | null
  /** UTF-8 bytes of everything received, reasoning included. */
  readonly heardBytes: number
}

/** Why a reply failed, named by the possible remedy. The name contains no text of the provider and no secret. */
export type ActorFailure =
  | 'unauthorized'
  | 'rate-limited'
  | 'unreachable'
  | 'provider-error'
  | 'not-a-model'
  | 'empty'
  | 'cut-off'
  | 'idle'
  | 'timeout'
  | 'aborted'
  | BudgetFailure

/**
 * The reason why the provider was not called: a budget is spent, the provider has refused too often, or the rest of a
 * budget is unknown.
 */
export type BudgetFailure = 'spent' | 'paused' | 'unaccounted'

export class ActorError extends Error {
  override readonly name = 'ActorError'
  readonly failure: ActorFailure
  /** The provider's HTTP status, if it answered. */
  readonly status: number | null
  /** How long the provider asks to wait, in milliseconds from now, if it says so. */
  readonly retryAfterMs: number | null

  constructor(failure: ActorFailure, status: number | null = null, retryAfterMs: number | null = null) {
    super(status === null ? failure : `${failure} (${status})`)
    this.failure = failure
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}
