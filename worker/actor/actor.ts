import type { Briefing } from '../core/briefing/briefing.ts'
import type { Task } from '../core/briefing/task.ts'

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
   * @throws ActorError when the reply cannot be had or finished; pieces given before stay given.
   */
  speak(briefing: Briefing, signal: AbortSignal): AsyncIterable<string>
  /**
   * Does a piece of inner work and returns its answer as text, which is checked by whoever asked.
   *
   * @throws ActorError when there is no answer to be had.
   */
  think(task: Task, signal: AbortSignal): Promise<string>
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
