import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, ALL_RUNS, readAddress } from '../../../sims/operator/address.ts'
import type { View } from '../../../sims/operator/address.ts'

const id = fc.stringMatching(/^ctx_[\w-]{1,64}$/)
const words = fc.string({ unit: 'binary' }).map((text) => text.trim().slice(0, 2_000).toWellFormed())
const time = fc.option(fc.integer({ min: 0, max: 4_000_000_000_000 }))
const anyView: fc.Arbitrary<View> = fc.oneof(
  fc.record({ screen: fc.constant('run' as const), run: id, context: fc.option(id), time }),
  fc.record({
    screen: fc.constant('told' as const),
    session: fc.stringMatching(/^[0-9a-f]{64}$/),
    turn: fc.option(fc.integer({ min: 1, max: 999_999_999 })),
  }),
  fc.constant({ screen: 'told' as const, session: '', turn: null }),
  fc.record({
    screen: fc.constant('runs' as const),
    status: fc.option(fc.constantFrom('active', 'blocked', 'completed', 'cancelled')),
    person: words,
    words,
  }),
)

describe('the address', () => {
  it('[operator-5] leads back to the view it was made of', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        expect(readAddress(addressOf(view))).toEqual(view)
      }),
    )
  })

  it('[operator-5] is one that people can read', () => {
    const view = { screen: 'run', run: 'ctx_a', context: 'ctx_b', time: Date.UTC(2026, 10, 20, 9, 41) } as const
    expect(addressOf(view)).toBe('#run=ctx_a&context=ctx_b&time=2026-11-20T09:41:00.000Z')
  })

  it('[operator-5] without a meaning leads to all runs, or to the part that can be read', () => {
    for (const hash of [
      '',
      '#',
      '#run=',
      '#session=../admin',
      `#session=${'A'.repeat(64)}`,
      '#run=../admin',
      '#status=lost',
      '#%',
      '#run=ctx_',
    ])
      expect(readAddress(hash)).toEqual(ALL_RUNS)
    expect(readAddress('#run=ctx_a&context=<b>&time=never')).toEqual({
      screen: 'run',
      run: 'ctx_a',
      context: null,
      time: null,
    })
  })

  it('[operator-5] is read without a throw, whatever text it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (hash) => void readAddress(`#${hash}`)))
  })
})
