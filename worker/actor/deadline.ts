import { ActorError, type ActorFailure } from './actor.ts'
import type { Clock } from '../clock.ts'

/**
 * Ends a call to a model early: when the caller aborts, at the overall time limit, at the idle time limit, or when
 * `fail` is called. Only the first of these reasons is kept, because the end of the call itself causes later ones.
 */
export interface ReplyDeadline {
  /** Aborts when the call must end, and at `close`. */
  readonly signal: AbortSignal
  /** Returns the reason that ended the call, or null if no reason has ended the call yet. */
  failure(): ActorError | null
  /** Ends the call for this reason, unless the call has ended already. */
  fail(failure: ActorError): void
  /**
   * Waits for the model to finish `work`, at most as long as the idle limit. Only this waiting counts as idle time: a
   * consumer that handles a piece slowly does not make the model late. One `work` is waited for at a time.
   *
   * @param otherwise the reason to end the call if `work` fails
   * @throws ActorError with the reason that ended the call, as soon as the call ends, even if `work` never settles
   */
  waitFor<T>(work: Promise<T>, otherwise: ActorFailure): Promise<T>
  /** Lowers the idle limit to this many milliseconds for each later piece. */
  shorten(idleMs: number): void
  /** Clears the timer, stops listening to the caller's signal and ends running work. */
  close(): void
}

export interface DeadlineOptions {
  readonly caller: AbortSignal
  readonly idleTimeoutMs: number
  readonly overallTimeoutMs: number
  readonly clock: Clock
}

/**
 * Starts the time limits of one call. There is one timer for both limits. It is not set anew for each piece: when it
 * rings, it looks how long the call has been waiting, and sets itself for the rest.
 */
export function startDeadline({ caller, idleTimeoutMs, overallTimeoutMs, clock }: DeadlineOptions): ReplyDeadline {
  const controller = new AbortController()
  const overallAt = clock.now() + overallTimeoutMs
  let failure: ActorError | null = null
  let idleMs = idleTimeoutMs
  /** When the call began to wait for the model; null while it does not wait. */
  let waitingSince: number | null = null
  let rejectWork: ((reason: ActorError) => void) | null = null
  let callOff = (): void => undefined

  function fail(reason: ActorError): void {
    if (failure !== null) return
    failure = reason
    callOff()
    controller.abort(reason)
    rejectWork?.(reason)
  }

  function look(): void {
    const now = clock.now()
    if (now >= overallAt) fail(new ActorError('timeout'))
    else if (waitingSince !== null && now >= waitingSince + idleMs) fail(new ActorError('idle'))
    else callOff = clock.after(Math.min(overallAt, (waitingSince ?? now) + idleMs) - now, look)
  }

  const onCallerAbort = (): void => fail(new ActorError('aborted'))
  look()
  caller.addEventListener('abort', onCallerAbort, { once: true })
  if (caller.aborted) onCallerAbort()

  return {
    signal: controller.signal,
    failure: () => failure,
    fail,
    waitFor(work, otherwise) {
      waitingSince = clock.now()
      return new Promise((resolve, reject) => {
        rejectWork = reject
        work.then(
          (value) => {
            waitingSince = null
            resolve(value)
          },
          // `work` may fail after the call has ended. That failure is caught here too.
          () => fail(new ActorError(otherwise)),
        )
        if (failure !== null) reject(failure)
      })
    },
    shorten(ms) {
      if (ms >= idleMs || failure !== null) return
      idleMs = ms
      callOff()
      look()
    },
    close() {
      callOff()
      caller.removeEventListener('abort', onCallerAbort)
      controller.abort(failure ?? new ActorError('aborted'))
    },
  }
}
