import { beginErasure } from '../../../worker/chain/people/begin-erasure.ts'
import { erasePerson, getErasure } from '../../../worker/chain/people/erasure.ts'
import type { Erasing, ErasureJob } from '../../../worker/chain/people/erasing.ts'
import { nextPiece } from '../../../worker/chain/people/next-piece.ts'
import type { Scope } from '../../../worker/chain/scope.ts'

/**
 * Erases a person, piece by piece until all work is done, and returns the finished erasure. The erasure also calls the
 * objects of the person's conversations through the scope.
 */
export async function eraseWhole(scope: Scope, user: string, mode: 'preserve' | 'subtree' = 'preserve') {
  const { own, jobs } = withObjects(scope)
  const { erasure } = await erasePerson(own, { user, dryRun: false, mode })
  const [job] = jobs
  if (!job || !erasure) throw new Error('nothing was begun')
  for (;;) {
    const piece = await nextPiece(own, job)
    if (piece === null) return await getErasure(own, { erasure: erasure.id })
    await piece.act()
  }
}

/** Returns the effect that a dry run of an erasure announces. */
export async function foreseen(scope: Scope, user: string, mode: 'preserve' | 'subtree' = 'preserve') {
  const { effect } = await erasePerson(withObjects(scope).own, { user, dryRun: true, mode })
  return effect
}

/**
 * Returns a copy of the scope (`own`), and the list of the erasures that begin in this copy (`jobs`). In the copy, an
 * erasure finds no ledger of used tokens to erase.
 */
function withObjects(scope: Scope): { readonly own: Scope; readonly jobs: readonly ErasureJob[] } {
  const jobs: ErasureJob[] = []
  const erasing: Erasing = {
    ownNames: scope.erasing.ownNames,
    conversation: (session) => scope.erasing.conversation(session),
    countLedgers: () => Promise.resolve(0),
    eraseLedgers: () => Promise.resolve(),
    begin: (job) => {
      jobs.push(job)
      return beginErasure(own, job)
    },
  }
  const own: Scope = { ...scope, erasing }
  return { own, jobs }
}
