import type { Input, Output } from '../api/operations.ts'
import { ChainError } from '../chain-error.ts'
import { firstRow, type Scope } from '../scope.ts'
import { MEMORY_COLUMNS, memoryOf, type MemoryRow } from './memory-row.ts'

/** One memory. @throws ChainError MEMORY_NOT_FOUND */
export async function getMemory(scope: Scope, { memory }: Input<'getMemory'>): Promise<Output<'getMemory'>> {
  const row = await firstRow<MemoryRow>(
    scope,
    `SELECT ${MEMORY_COLUMNS} FROM memories WHERE tenant = ?1 AND id = ?2`,
    memory,
  )
  if (row === null) throw noSuchMemory()
  return memoryOf(row)
}

export function noSuchMemory(): ChainError {
  return new ChainError('MEMORY_NOT_FOUND', 'There is no such memory.', '/params/memory')
}
