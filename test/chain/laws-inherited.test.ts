import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actsOf, anyData } from './support/any-act.ts'
import { ask } from './support/ask.ts'
import { canonical } from './support/canonical.ts'
import { pair, type Pair, play } from './support/play.ts'
import { runs } from '../support/runs.ts'

interface Inherited {
  readonly data: Readonly<Record<string, unknown>>
  readonly from: Readonly<Record<string, string>>
  readonly chain: readonly { readonly id: string; readonly data: Readonly<Record<string, unknown>> }[]
}

describe('laws of inherited data', () => {
  it('[context-57] a context sees the fold from its root to itself, and each value names the nearest source', async () => {
    await fc.assert(
      fc.asyncProperty(actsOf(25), async (acts) => {
        const both = await pair()
        for (const act of acts) await play(both, act)
        for (const { id } of both.model.entries) {
          const { data, from, chain } = await inheritedOf(both, id)
          const keys = new Set(chain.flatMap((each) => Object.keys(each.data)))
          const safe = [...keys].filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key))
          const nearest = (key: string) => chain.findLast((each) => Object.hasOwn(each.data, key))
          expect(Object.keys(data).sort()).toEqual(safe.toSorted())
          for (const key of safe) {
            expect(canonical(data[key])).toBe(canonical(nearest(key)?.data[key]))
            expect(from[key]).toBe(nearest(key)?.id)
          }
        }
      }),
      { numRuns: runs('costly') },
    )
  }, 120_000)

  it('[context-57] reading writes nothing, and no data changes Object.prototype', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyData(), { minLength: 1, maxLength: 5 }), async (levels) => {
        const both = await pair()
        const request = { purpose: 'audit', memorySpaceId: 'sales' }
        for (const [depth, data] of levels.entries()) {
          await play(both, {
            name: 'createContext',
            context: depth === 0 ? -1 : 0,
            request: { ...request, data },
            tick: 1,
          })
        }
        const before = both.stored
        for (const { id } of both.model.entries) await inheritedOf(both, id)
        expect({}).not.toHaveProperty('polluted')
        expect(Object.prototype.toString.call({})).toBe('[object Object]')
        await play(both, { name: 'addParticipant', context: 0, request: { participant: 'sales' }, tick: 0 })
        expect(both.stored).toEqual(before)
      }),
      { numRuns: runs('costly') },
    )
  }, 120_000)
})

async function inheritedOf({ scope }: Pair, context: string): Promise<Inherited> {
  const told = await ask(scope, 'getContext', { context, inherited: 'true' })
  if ('refused' in told) throw new Error(told.refused)
  return (told.answer as { inherited: Inherited }).inherited
}
