import { storeMemory } from '../../../worker/chain/memories/store-memory.ts'
import type { MemoryRecord } from '../../../worker/chain/memory.ts'
import type { Scope } from '../../../worker/chain/scope.ts'
import type { OperationInput } from '../../../worker/chain/api/operations.ts'

/** Stores a memory. A field that the test leaves out gets the value that it has by default in a request. */
export function remember(
  scope: Scope,
  content: string,
  own: Partial<OperationInput<'storeMemory'>> = {},
): Promise<MemoryRecord> {
  return storeMemory(scope, {
    memorySpaceId: 'maya',
    content,
    kind: 'note',
    importance: 50,
    metadata: {},
    ...own,
  })
}
