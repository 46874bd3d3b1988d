import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actsOf } from './support/any-act.ts'
import { leftBehind, misplaced, strayParticipants } from './support/broken-laws.ts'
import { ask } from './support/ask.ts'
import { pair, play } from './support/play.ts'
import { runs } from '../support/runs.ts'

const RUNS = { numRuns: runs('costly') }

describe('laws of the tree', () => {
  it('[context-100] every context has the root and depth of its ancestors, at most 10 deep', async () => {
    await fc.assert(
      fc.asyncProperty(actsOf(35), async (acts) => {
        const both = await pair()
        for (const act of acts) {
          await play(both, act)
          expect(misplaced(both.stored)).toEqual([])
          expect(leftBehind(both.stored)).toEqual([])
        }
      }),
      RUNS,
    )
  }, 120_000)

  it('[context-100] a context is a child of exactly its parent', async () => {
    await fc.assert(
      fc.asyncProperty(actsOf(25), async (acts) => {
        const both = await pair()
        for (const act of acts) await play(both, act)
        const parentOf = new Map(both.stored.contexts.map((row) => [row['id'], row['parent_id']]))
        for (const id of parentOf.keys()) {
          const told = await ask(both.scope, 'getContext', { context: id })
          if ('refused' in told) throw new Error(told.refused)
          const { context } = told.answer as { context: { childIds: readonly string[] } }
          const own = [...parentOf].filter(([, parent]) => parent === id).map(([child]) => child)
          expect(new Set(context.childIds)).toEqual(new Set(own))
          expect(context.childIds).toHaveLength(own.length)
        }
      }),
      { numRuns: runs('costly') },
    )
  }, 120_000)

  it('[context-38] an added participant is in everything above, and a second time changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(actsOf(30), fc.constantFrom('legal', 'a new one'), async (acts, participant) => {
        const both = await pair()
        for (const act of acts) {
          await play(both, act)
          expect(strayParticipants(both.stored)).toEqual([])
        }
        const add = { name: 'addParticipant', context: 0, request: { participant }, tick: 5 } as const
        await play(both, add)
        const before = both.stored
        await play(both, add)
        expect(both.stored).toEqual(before)
      }),
      RUNS,
    )
  }, 120_000)
})
