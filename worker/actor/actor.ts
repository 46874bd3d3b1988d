import type { Briefing } from '../core/briefing/briefing.ts'
import type { PickTask, Task } from '../core/briefing/task.ts'

/**
 * Who speaks a colleague's lines. An actor returns one reply as text in pieces: what is said, the separator, the
 * report. It knows nothing of the walk, the socket or the store.
 */
export interface Actor {
  readonly kind: 'rehearsal' | 'model'
  /** For people: "rehearsal actor" or the model's name. */
  readonly label: string
  /**
   * Speaks one reply.
   *
   * @param tell called once, when the call is over, however it ended; never by an actor that is no model.
   * @throws ActorError when the reply cannot be had or finished; pieces given before stay given.
   */
  speak(briefing: Briefing, signal: AbortSignal, tell?: (usage: Usage) => void): AsyncIterable<string>
  /**
   * Does a piece of inner work and returns its answer as text, which is checked by whoever asked.
   *
   * @throws ActorError when there is no answer to be had.
   */
  think(task: Task | PickTask, signal: AbortSignal, tell?: (usage: Usage) => void): Promise<string>
}

/** What a call to a model came to, as far as it can be told. */
export interface Usage {
  /**
   * `free`: no work was done, since nothing was asked or the answer was a status that is not 2xx. `whole`: the model came
   * to the end of what it had to say. `broken`: it was broken off, by whomever.
   */
  readonly end: 'free' | 'whole' | 'broken'
  /** Tokens as the server counted them at the end; null where it did not say. */
  readonly counted: { readonly input: number; readonly output: number } | null
  /** UTF-8 bytes of all that came, what was thought aloud included. */
  readonly heardBytes: number
}

/** Why a reply failed, named by what can be done about it. Holds no text of the provider and no secret. */
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
 * Nothing was asked of the provider: a budget does not reach, the provider has turned us away too often, or nobody could
 * say what is left of a budget.
 */
export type BudgetFailure = 'spent' | 'paused' | 'unaccounted'

export class ActorError extends Error {
  override readonly name = 'ActorError'
  readonly failure: ActorFailure
  /** The HTTP status the provider answered with, where it answered with one. */
  readonly status: number | null
  /** How long the provider asks to be left alone, in milliseconds from now, where it says so. */
  readonly retryAfterMs: number | null

  constructor(failure: ActorFailure, status: number | null = null, retryAfterMs: number | null = null) {
    super(status === null ? failure : `${failure} (${status})`)
    this.failure = failure
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}
