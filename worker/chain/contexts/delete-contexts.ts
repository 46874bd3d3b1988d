import type { Input, Output } from '../api/operations.ts'
import { commit, committedOrBusy } from '../commit.ts'
import type { Scope } from '../scope.ts'
import { bulkPage } from './bulk-page.ts'
import { type Removed, removedBy, removing } from './remove-together.ts'

const NOTHING: Removed = { ids: [], reparented: 0, promoted: 0 }

/**
 * Deletes every context that fits a filter, page by page, each page as one set in one transaction: what one of them takes
 * with it, or hands on, no other trips over. In the mode `leaf` those that have children are skipped.
 *
 * @throws INVALID_CURSOR, BUSY
 */
export function deleteContexts(scope: Scope, input: Input<'deleteContexts'>): Promise<Output<'deleteContexts'>> {
  return committedOrBusy(async () => {
    const page = await bulkPage(scope, 'bulk-delete', input)
    const kept = input.mode === 'leaf' ? page.found.filter(({ children }) => children > 0) : []
    const going = page.found.filter((each) => !kept.includes(each)).map(({ id }) => id)
    const mode = input.mode === 'leaf' ? 'cascade' : input.mode
    const writes = going.length > 0 ? removing(scope, going, mode) : []
    const done = await commit(scope, { guards: [page.unchanged], writes })
    if (!done.ok) return null
    const removed = going.length > 0 ? removedBy(done.wrote) : NOTHING
    const skipped = kept.map(({ id }) => ({ id, code: 'HAS_CHILDREN' }))
    return { ...removed, deleted: removed.ids.length, skipped, next: page.next }
  })
}
