import type { LiveReply } from './live-reply.ts'
import type { SessionInfo } from './session-info.ts'
import type { SessionStore } from './session-store.ts'
import type { StoredTurn, TurnLoop } from './turn.ts'

/** A conversation's state for the operator: names and numbers, and no word of it. */
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
  /** How often the operator revoked its credentials. */
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

/**
 * How far a turn has come. No phase is stored by name: each follows from the stored turn, so the two cannot
 * disagree. `docs/reference/turns.md` tells what becomes of a turn whose runner dies in each.
 */
type Phase =
  /** Its message is durable. */
  | 'accepted'
  /** Something of the reply was shown, which is in memory alone. */
  | 'streaming'
  /** The reply is whole and kept, and there is inner work left. */
  | 'spoken'
  /** Its end is written, and all that follows from it. */
  | 'applied'
  /** Its end was sent. */
  | 'done'

/** @param live the reply that is being spoken here, if one is */
function phaseOf(turn: StoredTurn, loop: TurnLoop | null, live: LiveReply | null): Phase {
  if (turn.status !== 'running') return turn.isTold ? 'done' : 'applied'
  if (loop?.spoken) return 'spoken'
  return live && live.text !== '' ? 'streaming' : 'accepted'
}
