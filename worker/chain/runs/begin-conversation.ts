import type { Npc, Scenario } from '../../core/scenario/scenario.ts'
import type { Learner } from '../../trust/learner.ts'
import { commit, guard } from '../commit.ts'
import { erasureRunning, noneBeingErased } from '../people/tombstones.ts'
import { joinUpwards } from '../contexts/participants.ts'
import { firstRow, type Scope, type Statement, statement } from '../scope.ts'
import { type RunPlace, conversationContent, runContent, type ContextContent } from './run-data.ts'
import { insertRun, insertUnder, takeHandOvers } from './run-writes.ts'

/** A conversation that is about to begin. */
export interface ConversationStart {
  readonly session: string
  readonly scenario: Scenario
  readonly npc: Npc
  readonly learner: Learner
  /** The run that the conversation joins; null for a new run. */
  readonly run: string | null
}

export type BeginResult =
  | { readonly ok: true; readonly place: RunPlace }
  /**
   * `unknown-run`: the learner has no run with the id. `run-full`: the run has as many conversations as a run may have.
   */
  | { readonly ok: false; readonly why: 'unknown-run' | 'run-full' }

/** The memory space of a run's root. It belongs to no colleague. */
export const RUN_SPACE = 'run'

/** The most conversations of one run. Every request about a run reads all conversations of the run. */
export const MOST_CONVERSATIONS = 200

/**
 * Writes the beginning of a conversation to the chain, in one transaction: the root of its run if the run is new, its
 * context, and its row in `sessions`. The caller calls `beginConversation` before the conversation's Durable Object
 * begins, so that a search for a learner's conversations returns all of them.
 *
 * @throws ChainError ERASURE_RUNNING
 */
export async function beginConversation(scope: Scope, beginning: ConversationStart): Promise<BeginResult> {
  const at = scope.now()
  const { learner } = beginning
  const place: RunPlace = { id: beginning.run ?? scope.newId('ctx'), context: scope.newId('ctx') }
  const guards = [
    ...(beginning.run === null ? [] : [isOwnRun(scope, place.id, learner), hasRoom(scope, place.id)]),
    ...(await noneBeingErased(scope, [learner.id])),
  ]
  const committed = await commit(scope, { guards, writes: writesOf(scope, beginning, place, at) })
  if (committed.ok) return { ok: true, place }
  const why = beginning.run === null ? null : await whyNot(scope, beginning.run, learner)
  if (why !== null) return { ok: false, why }
  throw erasureRunning()
}

function writesOf(scope: Scope, beginning: ConversationStart, place: RunPlace, at: number): readonly Statement[] {
  const { scenario, learner, run } = beginning
  return [
    ...(run === null ? [rootWrite(scope, { id: place.id, content: runContent(scenario), learner, at })] : []),
    ...conversationWrites(scope, beginning, place, at),
  ]
}

/** Makes the statement that writes the root of a new run. */
export function rootWrite(
  scope: Scope,
  {
    id,
    content,
    learner,
    at,
  }: { readonly id: string; readonly content: ContextContent; readonly learner: Learner; readonly at: number },
): Statement {
  return insertRun(scope, { id, content, space: RUN_SPACE, userId: learner.id, at })
}

/** Makes the statements that write a conversation's context under an existing root, and the conversation's row. */
export function conversationWrites(
  scope: Scope,
  { session, scenario, npc, learner }: ConversationStart,
  place: RunPlace,
  at: number,
): readonly Statement[] {
  const child = {
    id: place.context,
    content: conversationContent(scenario, npc),
    space: npc.id,
    userId: learner.id,
    at,
  }
  return [
    insertUnder(scope, place.id, child, session),
    joinUpwards(scope, place.context, npc.id),
    takeHandOvers(scope, { run: place.id, npc: npc.id, context: place.context, at }),
    statement(
      scope,
      `INSERT INTO sessions (tenant, session, user_id, learner, scenario, npc, run_id, context_id, created_at, active_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)`,
      session,
      learner.id,
      learner.kind,
      scenario.id,
      npc.id,
      place.id,
      place.context,
      at,
    ),
  ]
}

const OWN_RUN = 'EXISTS (SELECT 1 FROM contexts WHERE tenant = ?1 AND id = ?2 AND user_id = ?3 AND parent_id IS NULL)'
const ROOM = `(SELECT count(*) FROM sessions WHERE tenant = ?1 AND run_id = ?2) < ${MOST_CONVERSATIONS}`

/** Returns a guard that holds while the run exists and belongs to the learner. */
export function isOwnRun(scope: Scope, run: string, learner: Learner): Statement {
  return guard(scope, OWN_RUN, run, learner.id)
}

/** Returns a guard that holds while the run has room for another conversation. */
export function hasRoom(scope: Scope, run: string): Statement {
  return guard(scope, ROOM, run)
}

/** Returns why no conversation may begin in a run; null if a conversation may begin. */
export async function whyNot(scope: Scope, run: string, learner: Learner): Promise<'unknown-run' | 'run-full' | null> {
  const sql = `SELECT ${OWN_RUN} AS own, ${ROOM} AS room`
  const found = await firstRow<{ own: number; room: number }>(scope, sql, run, learner.id)
  if (found?.own !== 1) return 'unknown-run'
  return found.room === 1 ? null : 'run-full'
}
