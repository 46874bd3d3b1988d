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

/** A conversation of a run that begins again: a copy of one of the run it comes from. */
export interface PlayAgain {
  /** What it goes by. */
  readonly session: string
  readonly from: NonNullable<Play['from']>
  /** As the conversation it is a copy of was pinned to them. */
  readonly scenario: Scenario
  readonly npc: Npc
  /** When the learner first said something in it, and when it ended; null: not until then. */
  readonly metAt: number | null
  readonly endedAt: number | null
}

/** A play that is written down, with what its object has to begin with. */
export type WrittenPlay = Play & { readonly npc: string; readonly endedAt: number | null }

/**
 * The conversations of a run that has begun again, those that ended first before the others; null when there is no such run,
 * or it is not this learner's.
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
 * Writes down a run that begins again from a moment of another: its root, and every conversation that it has from the
 * beginning, all or nothing, before any of their objects is. Of the run it comes from nothing is changed.
 *
 * @param id what the run goes by
 * @returns false when it was not written: it is there already, or the run it comes from is not there any more
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

/** What stands in a run's root when it begins, and in nobody else's words than its author's and what the learner is called. */
const FROM_THE_ROOT = ['scenario', 'version', 'title', 'completes', 'nickname'] as const

async function againContent(scope: Scope, { run, npc, pivot }: Again): Promise<ContextContent | null> {
  const root = await firstRow<{ purpose: string; description: string | null; data: string }>(
    scope,
    'SELECT purpose, description, data FROM contexts WHERE tenant = ?1 AND id = ?2',
    run,
  )
  if (root === null) return null
  const before = JSON.parse(root.data) as FreeData
  const kept = FROM_THE_ROOT.flatMap((key) => (Object.hasOwn(before, key) ? [[key, before[key]] as const] : []))
  return { ...root, data: { ...Object.fromEntries(kept), again: { run, npc, pivot } } }
}

function playWrites(
  scope: Scope,
  { play, run, learner, at }: { play: PlayAgain; run: string; learner: Learner; at: number },
): readonly Statement[] {
  const { session, from, scenario, npc, metAt, endedAt } = play
  const place = { id: run, context: scope.newId('ctx') }
  return [
    ...conversationWrites(scope, { session, scenario, npc, learner, run }, place, at),
    // Whoever follows what the others bring has to know it of all of them: nothing tells which is brought first.
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

/** Where a run begins again: a pivot of another, and the wish for it, by the name that its client gave it. */
export interface Again {
  /** The run that it was played in before. */
  readonly run: string
  readonly npc: string
  readonly pivot: string
  readonly cid: string
}

/** As many as a drawn id has. */
const ID_BYTES = 16

/** The id of the run that a wish leads to: the same however often it is asked for, and nobody else's to guess. */
export async function againId({ secret, tenant }: Pick<Scope, 'secret' | 'tenant'>, again: Again): Promise<string> {
  const { run, npc, pivot, cid } = again
  const text = JSON.stringify(['again', tenant, run, npc, pivot, cid])
  const code = await codeOf(new TextEncoder().encode(secret), text)
  return `ctx_${base64UrlOf(code.slice(0, ID_BYTES))}`
}
