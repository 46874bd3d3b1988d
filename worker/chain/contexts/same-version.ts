import { guard } from '../commit.ts'
import type { Scope, Statement } from '../scope.ts'

/** For `commit`: that a context is there, at the version that somebody has read. */
export function sameVersion(scope: Scope, id: string, version: number): Statement {
  return guard(scope, 'EXISTS (SELECT 1 FROM contexts WHERE tenant = ?1 AND id = ?2 AND version = ?3)', id, version)
}
