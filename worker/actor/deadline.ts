import { ActorError } from './actor.ts'
import type { Clock } from '../clock.ts'

/**
 * Everything that can end a call before the model does: the caller, the overall limit, the idle limit, or a fault
 * someone found. The first reason stays; the ones after it are echoes of the call being torn down.
 */
export interface ReplyDeadline {
  /** Aborts when the call must end, and at `close`. */
  readonly signal: AbortSignal
  /** What ended the call, or null while nothing has. */
  failure(): ActorError | null
  /** Ends the call for this reason, unless it has one already. */
  fail(failure: ActorError): void
  /**
   * Waits for the model, at most the idle limit. Only waiting counts as idle: a reader that takes its time over a
   * piece does not make the model late.
   *
   * @throws ActorError what ended the call, at once, even if `work` never settles; else whatever `work` throws.
   */
  waitFor<T>(work: Promise<T>): Promise<T>
  /** From now on waits at most this many milliseconds for each piece. */
  shorten(idleMs: number): void
  /** Calls off every timer, lets go of the caller's signal and ends what may still run. */
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

/** `work`, or the signal's reason as soon as it aborts. A late rejection of `work` is taken, so that it never goes unhandled. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
