import type { OperationInput, OperationOutput } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { firstRow, rows, type Scope } from '../scope.ts'
import { whoCovers } from './begin-erasure.ts'
import { erasureForecast } from './foresee.ts'
import { personOf } from './person.ts'

/**
 * Begins to erase a person. A dry run only counts what the erasure would delete. While an erasure of the person runs,
 * another request returns that erasure. Once that erasure is done, a request begins a new erasure.
 *
 * @returns in `erasure` the erasure, and in `effect` its counts so far; for a dry run, `erasure` is null, and `effect`
 *   has the counts that an erasure would have
 * @throws ChainError BUSY while another erasure covers some of the person's names
 */
export async function erasePerson(
  scope: Scope,
  input: OperationInput<'erasePerson'>,
): Promise<OperationOutput<'erasePerson'>> {
  const person = await personOf(scope, input.user)
  if (input.dryRun) return { erasure: null, effect: await erasureForecast(scope, person, input.mode) }
  const job = { tenant: scope.tenant, id: scope.newId('era'), mode: input.mode, at: scope.now(), person }
  const begun = (await whoCovers(scope, job)) ?? (await scope.erasing.begin(job))
  if (begun.type === 'crossed') throw new ChainError('BUSY', 'Part of this is being erased just now. Try again later.')
  const row = await erasureRow(scope, begun.type === 'running' ? begun.id : job.id)
  if (row === null) throw new Error('an erasure that was begun is not there')
  const erasure = erasureOf(row)
  return { erasure, effect: erasure.effect }
}

/**
 * Returns the progress and the counts of an erasure.
 *
 * @throws ChainError ERASURE_NOT_FOUND
 */
export async function getErasure(
  scope: Scope,
  input: OperationInput<'getErasure'>,
): Promise<OperationOutput<'getErasure'>> {
  const row = await erasureRow(scope, input.erasure)
  if (row === null) throw new ChainError('ERASURE_NOT_FOUND', 'There is no such erasure.', '/params/erasure')
  return erasureOf(row)
}

/** A row of `erasures`. */
export interface ErasureRow {
  readonly id: string
  readonly status: 'running' | 'done'
  readonly mode: 'preserve' | 'subtree'
  readonly step: ErasureStep | 'done'
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

/** The steps of an erasure, in order. */
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
export type ErasureStep = (typeof STEP_NAMES)[number]

const COLUMNS = `id, status, mode, step, cursor, requested_at, done_at,
  sessions, ledgers, deleted, reparented, promoted, scrubbed, memories, facts`

export function erasureRow(scope: Scope, id: string): Promise<ErasureRow | null> {
  return firstRow<ErasureRow>(scope, `SELECT ${COLUMNS} FROM erasures WHERE tenant = ?1 AND id = ?2`, id)
}

/**
 * Returns the last erasure of any of the given subjects (keyed hashes of names); null if none of the subjects was ever
 * erased.
 */
export async function lastErasure(scope: Scope, subjects: readonly string[]): Promise<ErasureRow | null> {
  // The query returns the last erasure of each subject. The latest of these erasures is the result.
  const ids = await rows<{ erasure: string; requested_at: number }>(
    scope,
    `SELECT erasure, max(requested_at) AS requested_at FROM erasure_subjects
     WHERE tenant = ?1 AND subject IN (SELECT value FROM json_each(?2)) GROUP BY subject`,
    JSON.stringify(subjects),
  )
  const [last] = ids.toSorted((a, b) => b.requested_at - a.requested_at)
  return last ? erasureRow(scope, last.erasure) : null
}

/** Converts a row of `erasures` to an erasure of the API. */
export function erasureOf(row: ErasureRow): OperationOutput<'getErasure'> {
  const { id, status, mode, requested_at: requestedAt, done_at: doneAt } = row
  return { id, status, mode, requestedAt, doneAt, effect: effectOf(row) }
}

/** The counts of an erasure. */
export type Counts = Pick<
  ErasureRow,
  'sessions' | 'ledgers' | 'deleted' | 'reparented' | 'promoted' | 'scrubbed' | 'memories' | 'facts'
>

export function effectOf(counts: Counts): OperationOutput<'getErasure'>['effect'] {
  const { sessions, ledgers, deleted, reparented, promoted, scrubbed, memories, facts } = counts
  return { sessions, ledgers, contexts: { deleted, reparented, promoted, scrubbed }, memories, facts }
}
