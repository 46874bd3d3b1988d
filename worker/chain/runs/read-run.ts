import type { PlayRecord, RunRecord } from '../../core/run/run-view.ts'
import type { ContextStatus } from '../context.ts'
import { rowsTogether, type Scope, statement } from '../scope.ts'
import { handOverSchema, runDataSchema, talkDataSchema } from './run-data.ts'

/** A run, and the state of its root that a write depends on. */
export interface RunRead {
  readonly standing: RunRecord
  readonly root: { readonly status: ContextStatus; readonly version: number }
}

interface ContextRow {
  readonly id: string
  readonly parent_id: string | null
  readonly user_id: string | null
  readonly purpose: string
  readonly status: ContextStatus
  readonly data: string
  readonly version: number
  readonly created_at: number
  /** 1 while the run is in a class. */
  readonly in_class: number
}

interface PlayRow {
  readonly npc: string
  readonly session: string
  readonly context_id: string
  readonly met_at: number | null
  readonly ended_at: number | null
  readonly active_at: number
}

/**
 * Reads a run with all results of its conversations, at one moment and in two statements. Returns null if the run does
 * not exist or belongs to another learner.
 */
export async function readRun(
  scope: Scope,
  { id, learner }: { readonly id: string; readonly learner: { readonly id: string } },
): Promise<RunRead | null> {
  const [contexts, plays] = (await rowsTogether(scope, [
    statement(
      scope,
      `SELECT id, parent_id, user_id, purpose, status, data, version, created_at,
         EXISTS (SELECT 1 FROM class_runs WHERE tenant = ?1 AND run_id = ?2) AS in_class FROM contexts
       WHERE tenant = ?1 AND root_id = ?2 ORDER BY created_at, row`,
      id,
    ),
    statement(
      scope,
      `SELECT p.npc, p.session, s.context_id, s.met_at, s.ended_at, s.active_at
       FROM plays p JOIN sessions s ON s.tenant = ?1 AND s.session = p.session
       WHERE p.tenant = ?1 AND p.run_id = ?2 ORDER BY s.created_at, p.npc`,
      id,
    ),
  ])) as unknown as [ContextRow[], PlayRow[]]
  const root = contexts.find((context) => context.id === id)
  if (!root || root.parent_id !== null || root.user_id !== learner.id) return null
  const data = runDataSchema().parse(JSON.parse(root.data))
  // The data keep the class in which the run began. A learner whom the teacher has removed is in no class.
  const joined = root.in_class === 1 ? data.class : null
  return {
    root: { status: root.status, version: root.version },
    standing: {
      ...data,
      class: joined,
      id,
      startedAt: root.created_at,
      plays: plays.map((play) => playStanding(play, contexts)),
    },
  }
}

function playStanding(
  { npc, session, context_id: context, met_at: metAt, ended_at: endedAt, active_at: activeAt }: PlayRow,
  contexts: readonly ContextRow[],
): PlayRecord {
  // If the conversation's context was deleted, all its results count as missing.
  const own = contexts.find(({ id }) => id === context)
  const { next, ...data } = talkDataSchema().parse(own ? JSON.parse(own.data) : {})
  // The context's data names the next colleague. The reason is the purpose of the hand-over, a child of the context.
  const handOver = contexts.find((each) => each.parent_id === context && isHandOver(each))
  const left = next === null ? null : { npc: next, why: handOver?.purpose ?? '' }
  return { npc, session, endedAt, activeAt, metAt, ...data, next: left }
}

function isHandOver({ data }: ContextRow): boolean {
  return handOverSchema().safeParse(JSON.parse(data)).success
}
