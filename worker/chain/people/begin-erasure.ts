import { commit, guard } from '../commit.ts'
import { rows, type Scope, statement } from '../scope.ts'
import type { ErasureStart, ErasureJob } from './erasing.ts'
import { erasureRow, STEP_NAMES } from './erasure.ts'

/**
 * Writes the tombstones of a person, in one transaction: rows that mark the person as being erased. From then on,
 * nothing is written about the person until the erasure is done. Nothing changes if another erasure of one of the
 * person's names is running. Nothing changes either if another erasure was requested after this job, because a late job
 * must not erase data that is newer than its request. A repeated call changes nothing.
 */
export async function beginErasure(scope: Scope, job: ErasureJob): Promise<ErasureStart> {
  const { id, mode, person } = job
  const at = scope.now()
  const subjects = JSON.stringify(person.subjects)
  const committed = await commit(scope, {
    guards: [
      guard(
        scope,
        `NOT EXISTS (SELECT 1 FROM tombstones WHERE tenant = ?1 AND running = 1
           AND subject IN (SELECT value FROM json_each(?2)))`,
        subjects,
      ),
      guard(
        scope,
        `NOT EXISTS (SELECT 1 FROM erasure_subjects WHERE tenant = ?1
           AND subject IN (SELECT value FROM json_each(?2)) AND requested_at > ?3)`,
        subjects,
        job.at,
      ),
      guard(scope, 'NOT EXISTS (SELECT 1 FROM erasures WHERE tenant = ?1 AND id = ?2)', id),
    ],
    writes: [
      statement(
        scope,
        `INSERT INTO tombstones (tenant, subject, kind, at, running)
         SELECT ?1, value, 'person', ?3, 1 FROM json_each(?2) WHERE true
         ON CONFLICT (tenant, subject) DO UPDATE SET at = excluded.at, running = 1`,
        subjects,
        at,
      ),
      statement(
        scope,
        `INSERT INTO erasures (tenant, id, status, mode, step, cursor, requested_at)
         VALUES (?1, ?2, 'running', ?3, ?4, '', ?5)`,
        id,
        mode,
        STEP_NAMES[0],
        at,
      ),
      statement(
        scope,
        `INSERT INTO erasure_subjects (tenant, subject, requested_at, erasure)
         SELECT ?1, value, ?4, ?3 FROM json_each(?2)`,
        subjects,
        id,
        at,
      ),
    ],
  })
  if (committed.ok) return { type: 'begun' }
  if ((await erasureRow(scope, id)) !== null) return { type: 'begun' }
  return (await whoCovers(scope, job)) ?? beginErasure(scope, job)
}

/**
 * Finds another erasure that stops a job from beginning: an erasure that is running for one of the person's names, or
 * was requested after the job. Returns null if there is no such erasure.
 */
export async function whoCovers(
  scope: Scope,
  { at, person: { subjects } }: Pick<ErasureJob, 'at' | 'person'>,
): Promise<Exclude<ErasureStart, { type: 'begun' }> | null> {
  const [other] = await rows<{ erasure: string; covered: number }>(
    scope,
    `SELECT s.erasure, count(*) AS covered FROM erasure_subjects s
     JOIN erasures e ON e.tenant = ?1 AND e.id = s.erasure
     WHERE s.tenant = ?1 AND s.subject IN (SELECT value FROM json_each(?2))
       AND (e.status = 'running' OR s.requested_at > ?3)
     GROUP BY s.erasure ORDER BY covered DESC LIMIT 1`,
    JSON.stringify(subjects),
    at,
  )
  if (!other) return null
  return other.covered === subjects.length ? { type: 'running', id: other.erasure } : { type: 'crossed' }
}
