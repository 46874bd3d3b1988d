import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Act } from './support/any-act.ts'
import { isComplete } from './support/model.ts'
import { ancestors, known } from './support/model-tree.ts'
import { pair, type Pair, play, requestOf } from './support/play.ts'
import type { Stored } from './support/stored.ts'
import { IS_LONG, runs } from '../support/runs.ts'

type Row = Stored['contexts'][number]

const ASKED = ['all-completed', 'all-settled']
const ENDS = ['completed', 'completed', 'completed', 'cancelled']

const ending = fc.record({ status: fc.constantFrom(...ENDS) })

/** Generates trees whose contexts are completed, cancelled and blocked, mostly the newest contexts. */
const closing = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: actOf('createContext', { autoComplete: fc.constantFrom('never', ...ASKED, ...ASKED) }) },
    {
      weight: 8,
      arbitrary: actOf('updateContext', { status: fc.constantFrom(...ENDS, ...ENDS, 'blocked', 'active') }),
    },
    {
      weight: 1,
      arbitrary: actOf('updateContexts', { filter: fc.record({ depth: fc.nat({ max: 3 }) }), updates: ending }),
    },
    { weight: 1, arbitrary: patternOf('sequence') },
    { weight: 2, arbitrary: patternOf('approval') },
    { weight: 1, arbitrary: actOf('deleteContext', { mode: fc.constantFrom('orphan-to-parent', 'leaf') }) },
  ),
  { minLength: 15, maxLength: 50, size: 'max' },
)

describe('laws of completion', () => {
  it('[context-105] completes a parent only if it is active, has autoComplete, and its children are all done', async () => {
    let completed = 0
    await fc.assert(
      fc.asyncProperty(closing, async (acts) => {
        const both = await pair()
        await play(both, root('all-settled'))
        for (const act of acts) {
          const before = both.stored
          await play(both, act)
          for (const id of completedAbove(before, both.stored)) {
            // If the act names the context, the act itself completed the context. The state of the context's children
            // then does not matter.
            if (isNamed(both, act, id)) continue
            completed += 1
            expect(rowOf(before, id)['status']).toBe('active')
            expect(childrenOf(both.stored, id).length).toBeGreaterThan(0)
            expect(childrenOf(both.stored, id).filter((child) => !isEnough(rowOf(before, id), child))).toEqual([])
          }
        }
      }),
      { numRuns: runs('costly') },
    )
    expect(completed).toBeGreaterThan(IS_LONG ? 20 : 0)
  }, 120_000)

  it('[context-105] completes everything above an ended context that is done', async () => {
    let looked = 0
    await fc.assert(
      fc.asyncProperty(closing, async (acts) => {
        const both = await pair()
        await play(both, root('all-settled'))
        for (const act of acts) {
          const before = both.stored
          await play(both, act)
          for (const id of endedBetween(before, both.stored)) {
            looked += 1
            const above = ancestors(both.model, known(both.model, id))
            expect(above.filter((each) => isComplete(both.model, each))).toEqual([])
          }
        }
      }),
      { numRuns: runs('costly') },
    )
    expect(looked).toBeGreaterThan(IS_LONG ? 20 : 0)
  }, 120_000)
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

function patternOf(pattern: string): fc.Arbitrary<Act> {
  const part = fc.constant({ purpose: 'audit', memorySpaceId: 'sales' })
  const steps = fc.array(part, { minLength: 1, maxLength: 3 })
  const fields = { pattern: fc.constant(pattern), autoComplete: fc.constantFrom(...ASKED), steps }
  return actOf('createPattern', { ...fields, purpose: fc.constant('audit'), memorySpaceId: fc.constant('sales') })
}

/** Returns the contexts that are open in `before` and have ended in `after`. */
function endedBetween(before: Stored, after: Stored): readonly string[] {
  const open = new Set(before.contexts.filter((row) => !isEnded(row)).map(({ id }) => id))
  return after.contexts.filter((row) => isEnded(row) && open.has(row['id'] ?? null)).map((row) => String(row['id']))
}

function completedAbove(before: Stored, after: Stored): readonly string[] {
  return endedBetween(before, after).filter((id) => rowOf(after, id)['status'] === 'completed')
}

function isEnded(row: Row): boolean {
  return ['completed', 'cancelled'].includes(String(row['status']))
}

function isNamed(both: Pair, act: Act, id: string): boolean {
  if (act.name === 'updateContexts') {
    const { filter } = act.request as { readonly filter: { readonly depth: number } }
    return rowOf(both.stored, id)['depth'] === filter.depth
  }
  return requestOf(both, act)['context'] === id
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
