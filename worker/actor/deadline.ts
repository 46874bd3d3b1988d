import { ActorError } from './actor.ts'
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
   * consumer that handles a piece slowly does not make the model late.
   *
   * @throws ActorError with the reason that ended the call, as soon as the call ends, even if `work` never settles; if
   * no reason ended the call, the error of `work`
   */
  waitFor<T>(work: Promise<T>): Promise<T>
  /** Lowers the idle limit to this many milliseconds for each later piece. */
  shorten(idleMs: number): void
  /** Clears every timer, stops listening to the caller's signal and ends running work. */
  close(): void
}

export interface DeadlineOptions {
  readonly caller: AbortSignal
  readonly idleTimeoutMs: number
  readonly overallTimeoutMs: number
  readonly clock: Clock
}

export function startDeadline({ caller, idleTimeoutMs, overallTimeoutMs, clock }: DeadlineOptions): ReplyDeadline {
  const controller = new AbortController()
  let failure: ActorError | null = null
  let idleMs = idleTimeoutMs

  function fail(reason: ActorError): void {
    if (failure !== null) return
    failure = reason
    controller.abort(reason)
  }

  const onCallerAbort = (): void => fail(new ActorError('aborted'))
  const callOffOverall = clock.after(overallTimeoutMs, () => fail(new ActorError('timeout')))
  caller.addEventListener('abort', onCallerAbort, { once: true })
  if (caller.aborted) onCallerAbort()

  return {
    signal: controller.signal,
    failure: () => failure,
    fail,
    async waitFor(work) {
      const callOffIdle = clock.after(idleMs, () => fail(new ActorError('idle')))
      try {
        return await orAbort(work, controller.signal)
      } finally {
        callOffIdle()
      }
    },
    shorten(ms) {
      idleMs = Math.min(idleMs, ms)
    },
    close() {
      callOffOverall()
      caller.removeEventListener('abort', onCallerAbort)
      controller.abort(failure ?? new ActorError('aborted'))
    },
  }
}

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as the signal aborts. A rejection of `work` after
 * the abort is caught, so that no rejection goes unhandled.
 */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
