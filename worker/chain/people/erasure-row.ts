import type { Output } from '../api/operations.ts'
import { firstRow, rows, type Scope } from '../scope.ts'

/** How far an erasure has come, as it is stored. */
export interface ErasureRow {
  readonly id: string
  readonly status: 'running' | 'done'
  readonly mode: 'preserve' | 'subtree'
  readonly step: StepName | 'done'
  readonly cursor: string
  readonly requested_at: number
  readonly done_at: number | null
  readonly sessions: number
  readonly ledgers: number
  readonly deleted: number
  readonly reparented: number
  readonly promoted: number
  readonly scrubbed: number
  readonly memories: number
  readonly facts: number
}

/** What an erasure does, in this order. */
export const STEP_NAMES = [
  'conversations',
  'count-ledgers',
  'ledgers',
  'memories',
  'facts',
  'contexts',
  'names',
  'sessions',
  'close',
] as const
export type StepName = (typeof STEP_NAMES)[number]

const COLUMNS = `id, status, mode, step, cursor, requested_at, done_at,
  sessions, ledgers, deleted, reparented, promoted, scrubbed, memories, facts`

export function erasureRow(scope: Scope, id: string): Promise<ErasureRow | null> {
  return firstRow<ErasureRow>(scope, `SELECT ${COLUMNS} FROM erasures WHERE tenant = ?1 AND id = ?2`, id)
}

/** The last erasure of whoever goes by one of these subjects; null when there never was any. */
export async function lastErasure(scope: Scope, subjects: readonly string[]): Promise<ErasureRow | null> {
  // Of each subject the last one, by the index; of these the last.
  const ids = await rows<{ erasure: string; requested_at: number }>(
    scope,
    `SELECT erasure, max(requested_at) AS requested_at FROM erasure_subjects
     WHERE tenant = ?1 AND subject IN (SELECT value FROM json_each(?2)) GROUP BY subject`,
    JSON.stringify(subjects),
  )
  const [last] = ids.toSorted((a, b) => b.requested_at - a.requested_at)
  return last ? erasureRow(scope, last.erasure) : null
}

/** As the API tells of it. */
export function erasureOf(row: ErasureRow): Output<'getErasure'> {
  const { id, status, mode, requested_at: requestedAt, done_at: doneAt } = row
  return { id, status, mode, requestedAt, doneAt, effect: effectOf(row) }
}

/** Everything an erasure counts. */
export type Counts = Pick<
  ErasureRow,
  'sessions' | 'ledgers' | 'deleted' | 'reparented' | 'promoted' | 'scrubbed' | 'memories' | 'facts'
>

export function effectOf(counts: Counts): Output<'getErasure'>['effect'] {
  const { sessions, ledgers, deleted, reparented, promoted, scrubbed, memories, facts } = counts
  return { sessions, ledgers, contexts: { deleted, reparented, promoted, scrubbed }, memories, facts }
}
