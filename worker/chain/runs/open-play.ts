import { commit, committedOrBusy, guard } from '../commit.ts'
import { erasureRunning, noneBeingErased } from '../people/tombstones.ts'
import { firstRow, type Scope, statement } from '../scope.ts'
import {
  type BeginResult,
  type ConversationStart,
  conversationWrites,
  hasRoom,
  isOwnRun,
  whyNot,
} from './begin-conversation.ts'
import type { RunPlace } from './run-data.ts'

/** The one conversation of a run with a colleague. */
export interface Play {
  readonly session: string
  readonly place: RunPlace
  /**
   * For a conversation that was copied when the run began at a pivot of another run: the original, and the number of
   * the last log entry that was copied. Null if the conversation is not a copy.
   */
  readonly from: { readonly session: string; readonly seq: number } | null
}

export type PlayOpened = { readonly ok: true; readonly play: Play } | Extract<BeginResult, { ok: false }>

/** Returns the run's conversation with a colleague; null if the run has no conversation with that colleague. */
export async function findPlay(scope: Scope, run: string, npc: string): Promise<Play | null> {
  const found = await firstRow<{
    session: string
    context_id: string
    from_session: string | null
    from_seq: number | null
  }>(
    scope,
    `SELECT p.session, s.context_id, p.from_session, p.from_seq
     FROM plays p JOIN sessions s ON s.tenant = ?1 AND s.session = p.session
     WHERE p.tenant = ?1 AND p.run_id = ?2 AND p.npc = ?3`,
    run,
    npc,
  )
  if (found === null) return null
  const { session, context_id: context, from_session: copied, from_seq: seq } = found
  return {
    session,
    place: { id: run, context },
    from: copied === null || seq === null ? null : { session: copied, seq },
  }
}

/**
 * Writes the beginning of the run's one conversation with a colleague to the chain, unless that conversation exists.
 * All simultaneous requests get the same conversation. The caller calls `openPlay` before the conversation's Durable
 * Object begins.
 *
 * @param beginning the conversation to begin if the run has no conversation with the colleague
 * @throws ChainError BUSY, ERASURE_RUNNING
 */
export function openPlay(scope: Scope, beginning: ConversationStart & { readonly run: string }): Promise<PlayOpened> {
  return committedOrBusy(() => openOnce(scope, beginning))
}

async function openOnce(
  scope: Scope,
  beginning: ConversationStart & { readonly run: string },
): Promise<PlayOpened | null> {
  const { run, npc, learner, session } = beginning
  const found = await findPlay(scope, run, npc.id)
  if (found !== null) return { ok: true, play: found }
  const place: RunPlace = { id: run, context: scope.newId('ctx') }
  const notErased = await noneBeingErased(scope, [learner.id])
  const committed = await commit(scope, {
    guards: [
      isOwnRun(scope, run, learner),
      hasRoom(scope, run),
      guard(scope, 'NOT EXISTS (SELECT 1 FROM plays WHERE tenant = ?1 AND run_id = ?2 AND npc = ?3)', run, npc.id),
      ...notErased,
    ],
    writes: [
      ...conversationWrites(scope, beginning, place, scope.now()),
      statement(
        scope,
        'INSERT INTO plays (tenant, run_id, npc, session) VALUES (?1, ?2, ?3, ?4)',
        run,
        npc.id,
        session,
      ),
    ],
  })
  if (committed.ok) return { ok: true, play: { session, place, from: null } }
  const why = await whyNot(scope, run, learner)
  if (why !== null) return { ok: false, why }
  // If another request has begun the conversation, the next attempt returns that conversation.
  if ((await findPlay(scope, run, npc.id)) !== null) return null
  throw erasureRunning()
}
