import type { RunPlace } from '../chain/runs/run-data.ts'
import { beginWalk } from '../core/walk/engine.ts'
import { readWalk, type Walk } from '../core/walk/walk.ts'
import type { Learner } from '../trust/learner.ts'
import { chainEventsOf } from './chain-events.ts'
import type { ConversationCopy } from './conversation-copy.ts'
import { happenedIn } from './happened-in.ts'
import { readInfo, type SessionInfo } from './session-info.ts'
import type { SessionStore } from './session-store.ts'

/** What a conversation that begins as a copy has for its own. */
export interface CopyOpening {
  readonly session: string
  readonly epoch: string
  readonly learner: Learner
  readonly run: RunPlace
}

/** Begins a conversation where another one stood, with everything that had been said. A second time changes nothing. */
export function beginAs(store: SessionStore, copy: ConversationCopy, opening: CopyOpening, at: number): void {
  const info: SessionInfo = { ...readInfo(copy.info), ...opening }
  const forChain = happenedIn(copy).map((happened) => ({
    at: happened.at,
    events: chainEventsOf(happened, happened.at),
  }))
  store.createAs(info, walkOf(copy, info), copy, forChain, at)
}

function walkOf({ walk }: ConversationCopy, { engine, graph, person }: SessionInfo): Walk {
  return walk === null ? beginWalk(engine, graph, person) : readWalk(walk)
}
