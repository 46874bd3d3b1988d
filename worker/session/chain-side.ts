import { systemClock, inTime } from '../clock.ts'
import { type Brought, broughtTo } from '../core/briefing/brought.ts'
import { synonymsOf } from '../core/text/stems.ts'
import { applyEvents } from '../chain/runs/apply-events.ts'
import { ownScope } from '../chain/runs/own-scope.ts'
import type { MemorySource } from '../core/walk/event.ts'
import { log, nameOf } from '../log.ts'
import { type Probe, stepped } from '../steps.ts'
import type { TrustConfig } from '../trust/trust-config.ts'
import { type ChainMemory, chainMemory, newestFacts, withChain } from './chain-memory.ts'
import { ChainQueue } from './chain-queue.ts'
import { type RememberingDeps, Remembering } from './remembering.ts'
import type { SessionInfo } from './session-info.ts'
import type { SessionStore } from './session-store.ts'
import type { StoredTurn } from './turn.ts'
import { saidBefore, transcriptMemory } from './transcript-memory.ts'

/** Connects a conversation to the chain: delivers its events, stores its memories, and searches memories. */
export interface ChainSide {
  /**
   * Begins to deliver the events, and to make the memories, that are due. Each promise resolves when its attempt ends,
   * and never rejects.
   */
  deliver(deps: RememberingDeps): readonly Promise<void>[]
  /**
   * Delivers the waiting events, due or not. Resolves after the delivery, or after `FLUSH_MS`. Rejects only if the
   * events cannot be read.
   */
  flush(): Promise<void>
  /** Returns true if events wait that the chain can accept. */
  isBringing(): boolean
  /** Returns when to call `deliver`, in milliseconds since 1970; null if nothing waits. */
  nextDue(deps: RememberingDeps): number | null
  /**
   * Returns the memories for a turn: the learner's earlier words in the conversation, and the chain's memories of the
   * learner.
   */
  memory(info: SessionInfo, turn: StoredTurn): MemorySource
  /**
   * Returns what the colleague is told about the learner's conversations with the run's other colleagues; null for
   * nothing. The first attempt at a turn reads the chain and stores the result. Every later attempt gets what is
   * stored, so the turn's briefing stays the same.
   */
  brought(info: SessionInfo, turn: StoredTurn): Promise<Brought | null>
}

export interface ChainSideOptions {
  readonly env: object
  readonly trust: TrustConfig
  readonly session: string
  readonly store: SessionStore
  readonly probe: Probe
}

export function createChainSide({ env, trust, session, store, probe }: ChainSideOptions): ChainSide {
  const scope = () => ownScope(env, trust)
  const logged: RememberingDeps['log'] = (event, ids) => log(event, { session, ...ids })
  const remembering = new Remembering()
  const queue = new ChainQueue({
    store: store.chain,
    apply: async (from, events) => {
      const chain = await scope()
      if (chain === null) throw new Error('a conversation of a run finds no database')
      return applyEvents(chain, session, from, events)
    },
    session,
    now: () => Date.now(),
    probe,
    log: logged,
  })
  let latest: { readonly attempt: string; readonly chain: ChainMemory } | null = null
  const chainFor = (info: SessionInfo, turn: StoredTurn) => {
    const attempt = `${turn.id}.${turn.attempt}`
    if (latest?.attempt !== attempt) {
      const after = (ms: number, task: () => void) => systemClock.after(ms, task)
      latest = { attempt, chain: chainMemory({ ...info, scope, after, log: logged }) }
    }
    return latest.chain
  }
  const keeps = (turn: StoredTurn, brought: Brought): boolean => {
    try {
      return stepped(probe, 'keep', () => store.keepBrought(turn, brought))
    } catch (error) {
      logged('turn-not-kept', { turn: turn.id, error: nameOf(error) })
      return false
    }
  }
  return {
    deliver: (deps) => [queue.deliver(), remembering.deliver(deps)].filter((attempt) => attempt !== null),
    flush: () => inTime(queue.flush(), FLUSH_MS, () => {}),
    isBringing: () => queue.isBringing(),
    nextDue: (deps) => earliest([queue.nextDue(), remembering.nextDue(deps)]),
    memory: (info, turn) =>
      withChain(
        transcriptMemory(saidBefore(store.eventsAfter(0), turn.id), synonymsOf(info.scenario)),
        chainFor(info, turn),
      ),
    brought: async (info, turn) => {
      if (info.run === null) return null
      if (turn.attempt > 1) return store.brought(turn.id)
      const read = await chainFor(info, turn).brought()
      const brought = read && broughtTo(info.scenario, info.npc, read.talks, newestFacts(read.known))
      // If the result cannot be stored, the colleague is not told it, because the next attempt could not read the same
      // result.
      return brought && keeps(turn, brought) ? brought : null
    },
  }
}

/** How long a caller waits for a conversation to deliver its events, in milliseconds. */
const FLUSH_MS = 3_000

/** Returns the earliest of several times; null if all of them are null. */
export function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}
