import { nameOf } from '../log.ts'
import type { Acknowledgement, Cancel, Delta, LogEvent } from '../wire/messages.ts'
import { LiveReply, type ReplySink } from './live-reply.ts'
import { parkedUntil } from './assistant/tool-calls.ts'
import { givenUp, recover } from './recover.ts'
import { refuse } from './refuse.ts'
import { cut, endTurn, failedTurnEnd, runTurn, tellEnd, writeEnd } from './run-turn.ts'
import type { StoredTurn, TurnEnd } from './turn.ts'
import type { TurnDeps } from './turn-deps.ts'
import { stepped } from '../steps.ts'
import type { TurnLoop } from './turn.ts'

/** An attempt at a turn is aborted after this many times the length of a lease, even if the attempt makes progress. */
const LEASES = 5
/** The first delay before recovery is tried again, in milliseconds. The delay doubles with each failure. */
const LOOK_AGAIN_MS = 5_000
const LONGEST_LOOK_MS = 3_600_000

/**
 * A turn that this instance of the object is running (not a learner's run through a simulation). A turn that is no
 * longer in `#run` may go on for a while, but has no effect.
 */
interface Run {
  readonly turn: StoredTurn
  readonly controller: AbortController
  /**
   * `lease`: when the run is aborted if it makes no progress. `limit`: when the run is aborted in any case. Both are in
   * milliseconds since 1970.
   */
  lease: number
  readonly limit: number
  /** The part of the reply that the run has spoken; null before the reply begins. */
  live: LiveReply | null
  /** The end of the turn, if the end is known but not written yet; otherwise null. */
  end: TurnEnd | null
}

export interface TurnRunnerOptions {
  /** Returns the dependencies of the conversation; null if it never began. */
  readonly deps: () => TurnDeps | null
  readonly sendDelta: (delta: Delta) => void
  /** Keeps the object awake until `work` has settled. */
  readonly waitUntil: (work: Promise<void>) => void
  /** Sets the object's alarm for the work that is due next. */
  readonly schedule: () => Promise<void>
}

/**
 * Runs the turns of one conversation, one at a time. Only the turn that runs now is in memory. Any other turn that is
 * stored as running has lost its runner, because an earlier instance of the object died or an error occurred. `recover`
 * continues or ends such a turn.
 */
export class TurnRunner {
  readonly #options: TurnRunnerOptions
  #run: Run | null = null
  /** How often in a row recovery has failed. */
  #misses = 0

  constructor(options: TurnRunnerOptions) {
    this.#options = options
  }

  /** The reply that is being spoken, until its turn has ended; null at any other time. */
  get live(): LiveReply | null {
    return this.#run?.live ?? null
  }

  /** Returns when to call `callOff` and `recover`, in milliseconds since 1970; null if no turn is unfinished. */
  nextDue(deps: TurnDeps): number | null {
    const run = this.#run
    if (run?.end) return this.#nextLook(deps)
    if (run) return Math.min(run.lease, run.limit)
    const last = deps.store.lastTurn()
    if (!last || isDone(last)) return null
    return parkedUntil(deps, last) ?? this.#nextLook(deps)
  }

  /** Runs a turn that has just begun, or a turn that continues from the progress `from`. */
  start(deps: TurnDeps, turn: StoredTurn, from: TurnLoop | null = null): void {
    const at = deps.now()
    const run: Run = {
      turn,
      controller: new AbortController(),
      lease: at + deps.leaseMs,
      limit: at + LEASES * deps.leaseMs,
      live: from?.spoken ? shown(turn, from.spoken.speech) : null,
      end: null,
    }
    this.#run = run
    this.#options.waitUntil(this.#runToEnd(deps, run, from))
  }

  /**
   * Recovers a stored turn that has no runner, and writes an end that could not be written before. The object calls
   * this method at every wake and with every message, so that no conversation stays stuck. Never throws: a recovery
   * that fails is tried again at the next wake.
   */
  recover(): void {
    let deps: TurnDeps | null = null
    try {
      deps = this.#options.deps()
      if (deps === null) return
      if (this.#run?.end) this.#settle(deps, this.#run)
      if (this.#run) return
      const last = deps.store.lastTurn()
      if (last && !isDone(last) && !isParked(deps, last)) this.#takeUp(deps, last)
      this.#misses = 0
    } catch (error) {
      this.#misses += 1
      deps?.log('recovery-failed', { error: nameOf(error) })
      if (deps && !this.#run) this.#giveUp(deps)
    }
  }

  /**
   * Aborts a turn that has made no progress for the length of its lease, or that has run up to its `limit`. An actor
   * has shorter time limits of its own, so an actor that has not returned by now may never return. The turn then ends
   * as failed, or, if its reply is complete, is recovered. Whatever the aborted runner does later has no effect.
   */
  callOff(now: number): void {
    const deps = this.#options.deps()
    const run = this.#run
    if (!deps || !run || run.end || Math.min(run.lease, run.limit) > now) return
    const { turn, controller } = run
    deps.log('turn-called-off', { turn: turn.id, attempt: turn.attempt })
    this.#run = null
    controller.abort()
    this.#endCalledOff(deps, turn)
    this.recover()
  }

  /**
   * Stops the running turn at the learner's request. The turn's reply is then the text that clients got so far.
   * Everything up to the acknowledgement is synchronous, so either the learner stops the turn or the turn comes to its
   * own end, never both.
   */
  cancel(deps: TurnDeps, { turn }: Cancel, acknowledge: (answer: Acknowledgement) => void): void {
    const last = deps.store.lastTurn()
    if (last?.id !== turn) return acknowledge(refuse('nothing-to-cancel'))
    if (last.status !== 'running')
      return acknowledge(cutBefore(deps.store.eventsOf(turn)) ?? refuse('nothing-to-cancel'))
    const run = this.#run
    stepped(deps.probe, 'cancel', () => {
      const end = cut(deps, last, run?.live?.text ?? '')
      const events = writeEnd(deps, end)
      this.#run = null
      run?.controller.abort()
      const seq = events?.[0]?.seq
      acknowledge(seq === undefined ? refuse('nothing-to-cancel') : { ok: true, turn, seq })
      if (events) tellEnd(deps, last, events)
      deps.log('turn-cut', { turn, attempt: last.attempt })
    })
  }

  /** Goes on with a turn that was parked, now that the answer is stored. Does nothing if the turn runs already. */
  goOn(deps: TurnDeps): void {
    const last = deps.store.lastTurn()
    if (this.#run || last?.status !== 'running') return
    this.start(deps, last)
  }

  /** Drops the running turn without an end, because the conversation is erased. */
  stop(): void {
    const run = this.#run
    this.#run = null
    run?.controller.abort()
  }

  async #runToEnd(deps: TurnDeps, run: Run, from: TurnLoop | null): Promise<void> {
    const keep = (loop: TurnLoop) => this.#keep(deps, run, loop)
    const alive = () => {
      run.lease = deps.now() + deps.leaseMs
    }
    const hold = (end: TurnEnd) => {
      run.end = end
      return this.#run === run
    }
    try {
      await runTurn(deps, run.turn, run.controller.signal, { from, keep, alive, hold, show: this.#sinkOf(deps, run) })
      if (this.#run === run) this.#run = null
    } catch (error) {
      deps.log('turn-broke', { turn: run.turn.id, error: nameOf(error) })
      // An end that could not be written is kept, and is written as soon as possible.
      if (this.#run === run && !run.end) this.#run = null
    }
    this.recover()
    await this.#options.schedule()
  }

  /**
   * Stores a turn's progress and renews the turn's lease, because every answer shows that the runner is alive. If the
   * write fails, the turn goes on, because a new attempt would only repeat the requests that were answered.
   */
  #keep(deps: TurnDeps, run: Run, loop: TurnLoop): boolean {
    if (this.#run !== run) return false
    run.lease = deps.now() + deps.leaseMs
    try {
      return stepped(deps.probe, 'keep', () => deps.store.keep(run.turn, loop, run.lease))
    } catch (error) {
      deps.log('turn-not-kept', { turn: run.turn.id, error: nameOf(error) })
      return true
    }
  }

  /** Makes a sink that shows a run's reply to clients, until another run replaces it. */
  #sinkOf(deps: TurnDeps, run: Run): ReplySink {
    return {
      begin: (live) => {
        run.live = live
      },
      piece: (delta) => {
        if (this.#run !== run) return
        run.lease = deps.now() + deps.leaseMs
        this.#options.sendDelta(delta)
      },
    }
  }

  /**
   * Ends an aborted turn as failed, unless the turn's reply is complete. A turn with a complete reply is left to
   * `recover`, which resumes the rest of the turn's work.
   */
  #endCalledOff(deps: TurnDeps, turn: StoredTurn): void {
    try {
      if (!deps.store.loop(turn.id)?.spoken) endTurn(deps, failedTurnEnd(deps, turn))
    } catch (error) {
      // The turn is still stored as running, so `recover` continues it.
      deps.log('turn-broke', { turn: turn.id, error: nameOf(error) })
    }
  }

  #takeUp(deps: TurnDeps, turn: StoredTurn): void {
    stepped(deps.probe, 'recover', () => {
      const recovery = recover(deps, turn)
      // All events of the turn are sent, because a client that stayed connected may have only a part of them. A client
      // ignores events that it already has.
      const events = deps.store.eventsOf(turn.id)
      if (recovery.type === 'tell') return tellEnd(deps, turn, events)
      deps.sendEvents(events)
      if (recovery.type === 'end') return void endTurn(deps, recovery.end)
      this.start(deps, recovery.turn, recovery.from)
      this.#options.waitUntil(this.#options.schedule())
    })
  }

  /** Writes the end of a turn that could not be written before. @throws if the end still cannot be written */
  #settle(deps: TurnDeps, run: Run): void {
    if (!run.end) return
    endTurn(deps, run.end)
    if (this.#run === run) this.#run = null
  }

  /**
   * Returns when to try recovery again. The delay grows, because a conversation that cannot recover must not keep its
   * object awake for ever.
   */
  #nextLook(deps: TurnDeps): number {
    return deps.now() + Math.min(LOOK_AGAIN_MS * 2 ** Math.max(0, this.#misses - 1), LONGEST_LOOK_MS)
  }

  /** Ends a turn that cannot continue, so that the conversation can go on. */
  #giveUp(deps: TurnDeps): void {
    try {
      const end = givenUp(deps)
      if (end) endTurn(deps, end)
    } catch (error) {
      deps.log('giving-up-failed', { error: nameOf(error) })
    }
  }
}

/** Returns true if a turn has ended and its end was sent to clients. */
function isDone({ status, isTold }: StoredTurn): boolean {
  return status !== 'running' && isTold
}

/** Returns true if an assistant's turn waits for a person or the page, and may still wait. */
function isParked(deps: TurnDeps, turn: StoredTurn): boolean {
  const until = parkedUntil(deps, turn)
  return until !== null && deps.now() < until
}

function shown(turn: StoredTurn, speech: string): LiveReply {
  const live = new LiveReply(turn.id, turn.attempt)
  if (speech !== '') live.add(speech)
  return live
}

/** Returns the acknowledgement for a turn that the learner has already stopped; null if the turn was not stopped. */
function cutBefore(events: readonly LogEvent[]): Acknowledgement | null {
  const reply = events.findLast((event) => event.type === 'turn')
  return reply?.outcome === 'cut' ? { ok: true, turn: reply.turn, seq: reply.seq } : null
}
