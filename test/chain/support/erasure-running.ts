import { subjectOf } from '../../../worker/chain/people/tombstones.ts'
import { rows, type Scope } from '../../../worker/chain/scope.ts'

/** Marks a person as being erased, by an erasure that never goes on. */
export async function beginErasing(scope: Scope, person: string): Promise<void> {
  const sql = "INSERT INTO tombstones (tenant, subject, kind, at, running) VALUES (?1, ?2, 'person', 1, 1)"
  await rows(scope, sql, await subjectOf(scope, person))
}
