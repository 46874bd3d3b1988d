import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Act } from './support/any-act.ts'
import type { Told } from './support/ask.ts'
import { pair, type Pair, play } from './support/play.ts'
import type { Stored } from './support/stored.ts'

type Row = Stored['contexts'][number]

const ASKED = ['all-completed', 'all-settled']
const ENDS = ['completed', 'completed', 'completed', 'cancelled']

/** Trees whose parts are completed, cancelled and blocked, mostly the latest of them. */
const closing = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: actOf('createContext', { autoComplete: fc.constantFrom('never', ...ASKED, ...ASKED) }) },
    { weight: 4, arbitrary: actOf('updateContext', { status: fc.constantFrom(...ENDS, 'blocked', 'active') }) },
    { weight: 4, arbitrary: actOf('completeParents', {}) },
    { weight: 1, arbitrary: actOf('deleteContext', { mode: fc.constantFrom('orphan-to-parent', 'leaf') }) },
  ),
  { minLength: 15, maxLength: 50, size: 'max' },
)

describe('laws of completion', () => {
  it('[context-105] a parent is completed only if it is active, has children and all of them are as it asks', async () => {
    let fired = 0
    await fc.assert(
      fc.asyncProperty(closing, async (acts) => {
        const both = await pair()
        await play(both, root('all-settled'))
        for (const act of acts) {
          const before = both.stored
          const told = await play(both, act)
          if (act.name !== 'completeParents' || 'refused' in told) continue
          for (const id of completedIn(told)) {
            fired += 1
            expect(rowOf(before, id)['status']).toBe('active')
            expect(childrenOf(before, id).length).toBeGreaterThan(0)
            expect(childrenOf(both.stored, id).filter((child) => !isEnough(rowOf(before, id), child))).toEqual([])
          }
        }
      }),
      { seed: 105, numRuns: 80 },
    )
    expect(fired).toBeGreaterThan(20)
  }, 120_000)

  it('[context-105] it goes as far as it can at once: asked again it completes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(closing, fc.nat({ max: 1_000 }), async (acts, context) => {
        const both = await pair()
        await play(both, root('all-settled'))
        for (const act of acts) await play(both, act)
        const again = { name: 'completeParents', context, request: {}, tick: 1 } as const
        await play(both, again)
        const settled = both.stored
        expect(completedIn(await play(both, again))).toEqual([])
        expect(both.stored).toEqual(settled)
      }),
      { seed: 1050, numRuns: 40 },
    )
  }, 120_000)

  it('[context-105] nothing but the request completes a parent: an update of its last child does not', async () => {
    const both = await pair()
    await play(both, root('all-settled'))
    await play(both, { ...root('never'), context: 0 })
    await play(both, { name: 'updateContext', context: 0, request: { status: 'completed' }, tick: 1 })
    expect(both.stored.contexts.map(({ status }) => status)).toEqual(['active', 'completed'])
  })
})

function root(autoComplete: string): Act {
  return {
    name: 'createContext',
    context: -1,
    request: { purpose: 'audit', memorySpaceId: 'sales', autoComplete },
    tick: 1,
  }
}

function actOf(name: Act['name'], own: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Act> {
  const given = name === 'createContext' ? { purpose: fc.constant('audit'), memorySpaceId: fc.constant('sales') } : {}
  return fc.record({
    name: fc.constant(name),
    context: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat({ max: 6 }) }),
    request: fc.record({ ...given, ...own }),
    tick: fc.constantFrom(0, 1),
  })
}

function completedIn(told: Told): readonly string[] {
  return 'refused' in told ? [] : (told.answer as { completed: readonly string[] }).completed
}

function rowOf({ contexts }: Pair['stored'], id: string): Row {
  const row = contexts.find((each) => each['id'] === id)
  if (!row) throw new Error(`${id} is not there`)
  return row
}

function childrenOf({ contexts }: Pair['stored'], id: string): readonly Row[] {
  return contexts.filter((row) => row['parent_id'] === id)
}

function isEnough(parent: Row, child: Row): boolean {
  const enough = parent['auto_complete'] === 'all-completed' ? ['completed'] : ['completed', 'cancelled']
  return enough.includes(String(child['status'])) && parent['auto_complete'] !== 'never'
}
