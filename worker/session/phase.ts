import type { LiveReply } from './live-reply.ts'
import type { StoredTurn } from './turn.ts'
import type { TurnLoop } from './turn.ts'

/**
 * How far a turn has come. None of them is stored by its name: each follows from what is, so that no two things can
 * disagree. `docs/reference/turns.md` tells what becomes of a turn whose runner dies in each.
 */
export type Phase =
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
export function phaseOf(turn: StoredTurn, loop: TurnLoop | null, live: LiveReply | null): Phase {
  if (turn.status !== 'running') return turn.isTold ? 'done' : 'applied'
  if (loop?.spoken) return 'spoken'
  return live && live.text !== '' ? 'streaming' : 'accepted'
}
