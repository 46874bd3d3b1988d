import type { ClassifyTask } from '../core/assistant/classify.ts'
import type { ToolTask } from '../core/assistant/tools.ts'
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
   * @param tell a function that the actor calls once with the usage of the model call, when that call has ended for any
   * reason; an actor without a model never calls `tell`
   * @throws ActorError if the model gives no reply or an incomplete one; the pieces returned before the error stay
   * valid
   */
  speak(briefing: Briefing, signal: AbortSignal, tell?: (usage: Usage) => void): AsyncIterable<string>
  /**
   * Returns short texts that the learner may want to send after the reply to this briefing, because the actor was not
   * sure what they meant. A model's replies have none.
   */
  offers?(briefing: Briefing): readonly string[]
  /**
   * Does a task, such as a selection, and returns the answer as text. The caller checks the answer.
   *
   * @throws ActorError if the model gives no answer
   */
  think(
    task: Task | PickTask | ClassifyTask | ToolTask,
    signal: AbortSignal,
    tell?: (usage: Usage) => void,
  ): Promise<string>
}

/** The usage of one call to a model, as far as the actor knows it. */
export interface Usage {
  /**
   * `free`: the model did no work, because no request was sent or the HTTP status of the response was not 2xx. `whole`:
   * the model finished its reply. `broken`: the actor or the server ended the call early.
   */
  readonly end: 'free' | 'whole' | 'broken'
  /** The server's final token count; null if the server sent no count. */
  readonly counted: { readonly input: number; readonly output: number } | null
  /** The number of UTF-8 bytes of all text that the model sent, reasoning included. */
  readonly heardBytes: number
}

/**
 * The reason why a reply failed. Failures that an operator fixes in the same way share a name. No reason contains text
 * of the provider or a secret.
 */
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
 * The reason why the provider was not called. `spent`: a budget is used up. `paused`: the provider has refused several
 * calls in a row, so calls wait for a while. `unaccounted`: the server does not know how much of a budget is left.
 */
export type BudgetFailure = 'spent' | 'paused' | 'unaccounted'

export class ActorError extends Error {
  override readonly name = 'ActorError'
  readonly failure: ActorFailure
  /** The HTTP status of the provider's response; null without a response. */
  readonly status: number | null
  /**
   * How long the provider asks the client to wait before a retry, in milliseconds; null if the provider gives no time.
   */
  readonly retryAfterMs: number | null

  constructor(failure: ActorFailure, status: number | null = null, retryAfterMs: number | null = null) {
    super(status === null ? failure : `${failure} (${status})`)
    this.failure = failure
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}
