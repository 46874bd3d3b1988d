import type { LiveReply } from './live-reply.ts'
import type { SessionInfo } from './session-info.ts'
import type { SessionStore } from './session-store.ts'
import type { StoredTurn, TurnLoop } from './turn.ts'

/** A conversation's state for the operator: names and numbers, and nothing that was said. */
export interface Overview {
  readonly session: string
  readonly scenario: string
  readonly npc: string
  readonly graph: { readonly id: string; readonly version: string }
  readonly engine: string
  readonly learner: 'verified' | 'anonymous'
  /** When the conversation began, in milliseconds since 1970. */
  readonly createdAt: number
  readonly ended: boolean
  /** How often the operator revoked the conversation's credentials. */
  readonly revoked: number
  readonly sockets: number
  /** The phase of the last turn; null before the first turn. */
  readonly phase: Phase | null
  readonly turns: Readonly<Record<string, number>>
  readonly attempts: number
  readonly events: number
  /** The number of outgoing messages in each state. */
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

/**
 * The phase of a turn. Phases are not stored but derived from the stored turn, so that phase and turn cannot disagree.
 * `docs/reference/turns.md` says what happens to a turn whose runner dies in each phase.
 */
type Phase =
  /** The learner's message is stored. */
  | 'accepted'
  /** A part of the reply was sent to clients. That part is in memory only. */
  | 'streaming'
  /** The reply is complete and stored, but the turn has not ended. */
  | 'spoken'
  /** The turn's end is written, but was not sent to clients yet. */
  | 'applied'
  /** The turn's end was sent to clients. */
  | 'done'

/** @param live the reply that the object is receiving from the actor, or null */
function phaseOf(turn: StoredTurn, loop: TurnLoop | null, live: LiveReply | null): Phase {
  if (turn.status !== 'running') return turn.isTold ? 'done' : 'applied'
  if (loop?.spoken) return 'spoken'
  return live && live.text !== '' ? 'streaming' : 'accepted'
}
