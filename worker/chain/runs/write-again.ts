import { base64UrlOf } from '../../bytes.ts'
import type { Npc, Scenario } from '../../core/scenario/scenario.ts'
import { codeOf } from '../../hmac.ts'
import type { Learner } from '../../trust/learner.ts'
import { commit, guard } from '../commit.ts'
import type { FreeData } from '../context.ts'
import { noneBeingErased, refuseWhileErased } from '../people/tombstones.ts'
import { firstRow, rows, type Scope, type Statement, statement } from '../scope.ts'
import { conversationWrites, isOwnRun, rootWrite } from './begin-conversation.ts'
import type { Play } from './open-play.ts'
import type { ContextContent } from './run-data.ts'

/** A conversation of a run that begins again: a copy of a conversation of the earlier run. */
export interface PlayAgain {
  /** The id of the copy. */
  readonly session: string
  readonly from: NonNullable<Play['from']>
  /** The scenario and the colleague, in the version to which the original is pinned. */
  readonly scenario: Scenario
  readonly npc: Npc
  /**
   * `metAt`: when the learner first spoke. `endedAt`: when the conversation ended. Each is null if it did not happen in
   * the copied part.
   */
  readonly metAt: number | null
  readonly endedAt: number | null
}

/** A copied conversation as the chain stores it, with the fields that its Durable Object needs to begin. */
export type WrittenPlay = Play & { readonly npc: string; readonly endedAt: number | null }

/**
 * Returns the copied conversations of a run that began again, ended conversations first. Returns null if the learner
 * has no run with the id.
 */
export async function findAgain(scope: Scope, id: string, learner: Learner): Promise<readonly WrittenPlay[] | null> {
  const own = 'SELECT 1 AS own FROM contexts WHERE tenant = ?1 AND id = ?2 AND user_id = ?3 AND parent_id IS NULL'
  if ((await firstRow(scope, own, id, learner.id)) === null) return null
  const found = await rows<PlayRow>(
    scope,
    `SELECT p.npc, p.session, p.from_session, p.from_seq, s.context_id, s.ended_at
     FROM plays p JOIN sessions s ON s.tenant = ?1 AND s.session = p.session
     WHERE p.tenant = ?1 AND p.run_id = ?2 AND p.from_session IS NOT NULL
     ORDER BY s.ended_at IS NULL, s.ended_at, p.npc`,
    id,
  )
  return found.map(({ npc, session, from_session, from_seq, context_id, ended_at }) => ({
    npc,
    session,
    place: { id, context: context_id },
    from: { session: from_session, seq: from_seq },
    endedAt: ended_at,
  }))
}

interface PlayRow {
  readonly npc: string
  readonly session: string
  readonly from_session: string
  readonly from_seq: number
  readonly context_id: string
  readonly ended_at: number | null
}

/**
 * Writes a run that begins again at a moment of another run: its root and its copied conversations, in one transaction.
 * The caller calls `writeAgain` before the Durable Objects of the copies begin. The earlier run does not change.
 *
 * @param id the id of the new run
 * @returns false if the new run exists already, or if the earlier run or an original conversation no longer exists
 * @throws ChainError ERASURE_RUNNING
 */
export async function writeAgain(
  scope: Scope,
  id: string,
  { again, learner, plays }: { readonly again: Again; readonly learner: Learner; readonly plays: readonly PlayAgain[] },
): Promise<boolean> {
  const content = await againContent(scope, again)
  if (content === null) return false
  const at = scope.now()
  const committed = await commit(scope, {
    guards: [
      isOwnRun(scope, again.run, learner),
      guard(scope, 'NOT EXISTS (SELECT 1 FROM contexts WHERE tenant = ?1 AND id = ?2)', id),
      ...plays.map(({ from }) =>
        guard(scope, 'EXISTS (SELECT 1 FROM sessions WHERE tenant = ?1 AND session = ?2)', from.session),
      ),
      ...(await noneBeingErased(scope, [learner.id])),
    ],
    writes: [
      rootWrite(scope, { id, content, learner, at }),
      ...plays.flatMap((play) => playWrites(scope, { play, run: id, learner, at })),
    ],
  })
  if (committed.ok) return true
  await refuseWhileErased(scope, [learner.id])
  return false
}

/**
 * The fields that a new run copies from the data of the earlier run's root. All come from the scenario's author, except
 * the nickname.
 */
const FROM_THE_ROOT = ['scenario', 'version', 'title', 'completes', 'nickname'] as const

async function againContent(scope: Scope, { run, moment }: Again): Promise<ContextContent | null> {
  const root = await firstRow<{ purpose: string; description: string | null; data: string }>(
    scope,
    'SELECT purpose, description, data FROM contexts WHERE tenant = ?1 AND id = ?2',
    run,
  )
  if (root === null) return null
  const before = JSON.parse(root.data) as FreeData
  const kept = FROM_THE_ROOT.flatMap((key) => (Object.hasOwn(before, key) ? [[key, before[key]] as const] : []))
  return { ...root, data: { ...Object.fromEntries(kept), again: { run, npc: null, pivot: null, ...moment } } }
}

function playWrites(
  scope: Scope,
  { play, run, learner, at }: { play: PlayAgain; run: string; learner: Learner; at: number },
): readonly Statement[] {
  const { session, from, scenario, npc, metAt, endedAt } = play
  const place = { id: run, context: scope.newId('ctx') }
  return [
    ...conversationWrites(scope, { session, scenario, npc, learner, run }, place, at),
    // The times of all copies are stored now, because the events of the copies may arrive in any order, and their
    // effects depend on the times of the other copies.
    statement(
      scope,
      'UPDATE sessions SET met_at = ?3, ended_at = ?4 WHERE tenant = ?1 AND session = ?2',
      session,
      metAt,
      endedAt,
    ),
    statement(
      scope,
      'INSERT INTO plays (tenant, run_id, npc, session, from_session, from_seq) VALUES (?1, ?2, ?3, ?4, ?5, ?6)',
      run,
      npc.id,
      session,
      from.session,
      from.seq,
    ),
  ]
}

/** Where a run begins again. `cid` is the client's id for the request. */
export interface Again {
  /** The earlier run. */
  readonly run: string
  /** The colleague and the pivot at which it begins; null for the earlier run's decision. */
  readonly moment: { readonly npc: string; readonly pivot: string } | null
  readonly cid: string
}

/** Number of bytes in the new run's id, as many as in a random id. */
const ID_BYTES = 16

/** Returns the id of the new run. A repeated request gets the same id, and other people cannot guess the id. */
export async function againId({ secret, tenant }: Pick<Scope, 'secret' | 'tenant'>, again: Again): Promise<string> {
  const { run, moment, cid } = again
  const text = JSON.stringify(['again', tenant, run, moment?.npc, moment?.pivot, cid])
  const code = await codeOf(new TextEncoder().encode(secret), text)
  return `ctx_${base64UrlOf(code.slice(0, ID_BYTES))}`
}
