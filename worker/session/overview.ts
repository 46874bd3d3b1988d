import type { LiveReply } from './live-reply.ts'
import { type Phase, phaseOf } from './phase.ts'
import type { SessionInfo } from './session-info.ts'
import type { SessionStore } from './session-store.ts'

/** Where a conversation stands, for whoever runs the service: names and numbers, no word of it. */
export interface Overview {
  readonly session: string
  readonly scenario: string
  readonly npc: string
  readonly graph: { readonly id: string; readonly version: string }
  readonly engine: string
  readonly learner: 'verified' | 'anonymous'
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly ended: boolean
  /** How often what lets in was revoked. */
  readonly revoked: number
  readonly sockets: number
  /** How far the last turn has come; null before the first. */
  readonly phase: Phase | null
  /** How many turns there are in each state. */
  readonly turns: Readonly<Record<string, number>>
  readonly attempts: number
  readonly events: number
  /** How many sends there are in each state. */
  readonly sends: Readonly<Record<string, number>>
}

export function overviewOf(
  info: SessionInfo,
  store: SessionStore,
  { sockets, live }: { sockets: number; live: LiveReply | null },
): Overview {
  const last = store.lastTurn()
  return {
    session: info.session,
    scenario: info.scenario.id,
    npc: info.npc,
    graph: { id: info.graph.id, version: String(info.graph.version) },
    engine: info.engine,
    learner: info.learner.kind,
    createdAt: info.createdAt,
    ended: store.walk().end !== null,
    revoked: store.epoch(),
    sockets,
    phase: last && phaseOf(last, store.loop(last.id), live),
    turns: store.turnsByStatus(),
    attempts: store.attempts(),
    events: store.head(),
    sends: countBy(store.outbox.all().map(({ status }) => status)),
  }
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
