import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actsOf } from './support/any-act.ts'
import { askAll } from './support/ask.ts'
import { leftBehind, misplaced } from './support/broken-laws.ts'
import { canonical } from './support/canonical.ts'
import { eraseWhole, foreseen } from './support/erase.ts'
import { changes } from './support/model.ts'
import { pair, play } from './support/play.ts'
import { storedIn, storedOf } from './support/stored.ts'
import { runs } from '../support/runs.ts'

/**
 * For each mode of an erasure, the mode of a deletion with the same effect. With `preserve`, the children of a deleted
 * context move up. With `subtree`, the children are deleted too.
 */
const MODES = { preserve: 'orphan-to-parent', subtree: 'cascade' } as const

describe('laws of erasure', () => {
  it.each(['preserve', 'subtree'] as const)(
    '[person-2] of a chain that has grown, an erasure (%s) takes what is theirs and no more, as was foreseen, and once',
    async (mode) => {
      await fc.assert(
        fc.asyncProperty(actsOf(35), async (acts) => {
          const both = await pair()
          for (const act of acts) await play(both, act)
          const plan = await foreseen(both.scope, 'ana', mode)
          expect(await storedIn(both.scope)).toEqual(both.stored)
          const { effect } = await eraseWhole(both.scope, 'ana', mode)
          expect(effect).toEqual(plan)

          const filter = { userId: 'ana' }
          const now = { at: both.clock.now, by: 'tests', newId: () => '' }
          const gone = changes.deleteContexts(both.model, { filter, mode: MODES[mode], limit: 1 }, now)
          const { deleted, reparented, promoted } = gone
          expect(effect.contexts).toMatchObject({ deleted, reparented, promoted })
          const after = await storedIn(both.scope)
          expect(canonical(after)).toBe(canonical(storedOf(both.model)).replaceAll('"ana"', '"erased"'))
          expect([misplaced(after), leftBehind(after)]).toEqual([[], []])
          expect(await askAll(both.scope, 'verifyIntegrity', {})).toEqual({ answer: { items: [], next: null } })

          const again = await eraseWhole(both.scope, 'ana', mode)
          expect(again.effect.contexts).toEqual({ deleted: 0, reparented: 0, promoted: 0, scrubbed: 0 })
          expect(await storedIn(both.scope)).toEqual(after)
        }),
        { numRuns: runs('costly') },
      )
    },
    120_000,
  )
})
