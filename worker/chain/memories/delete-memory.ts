import type { Input, Output } from '../api/operations.ts'
import { commit } from '../commit.ts'
import { type Scope, statement } from '../scope.ts'
import { noSuchMemory } from './get-memory.ts'

/** Forgets something, and the words by which it was found. @throws ChainError MEMORY_NOT_FOUND */
export async function deleteMemory(scope: Scope, { memory }: Input<'deleteMemory'>): Promise<Output<'deleteMemory'>> {
  const write = statement(scope, 'DELETE FROM memories WHERE tenant = ?1 AND id = ?2 RETURNING id', memory)
  const committed = await commit(scope, { guards: [], writes: [write] })
  const deleted = committed.ok ? (committed.wrote[0]?.rows.length ?? 0) : 0
  if (deleted === 0) throw noSuchMemory()
  return { deleted }
}
