import { batch as theirBatch, effect as theirEffect, signal as theirSignal } from '@preact/signals'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batch, effect, signal } from '../../widget/signals.ts'
import { runs } from '../support/runs.ts'

describe('the widget’s signals', () => {
  it('show their effects the same values as the signals of the package do', () => {
    const change = fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.nat(12), (batches, end) => {
        expect(seen({ batch, effect, signal }, batches, end)).toEqual(
          seen({ batch: theirBatch, effect: theirEffect, signal: theirSignal }, batches, end),
        )
      }),
      { numRuns: runs('usual') },
    )
  })

  it('run the other effects although one has thrown', () => {
    const count = signal(0)
    const seen: number[] = []
    effect(() => {
      if (count.value === 1) throw new Error('one')
    })
    effect(() => void seen.push(count.value))
    expect(() => (count.value = 1)).toThrow('one')
    count.value = 2
    expect(seen.at(-1)).toBe(2)
  })
})

interface Signals {
  readonly signal: (value: number) => { value: number; peek(): number }
  readonly effect: (action: () => void) => () => void
  readonly batch: (change: () => void) => void
}

/**
 * Returns what two effects have seen last, after each batch of changes. One of them reads two signals and writes a
 * third, which the other reads. The first effect ends before the batch number `end`.
 */
function seen({ signal, effect, batch }: Signals, batches: readonly (readonly [number, number][])[], end: number) {
  const [left, right, sum, other] = [signal(0), signal(0), signal(0), signal(0)]
  let shown = ''
  const stop = effect(() => void (sum.value = left.value + right.value))
  effect(() => void (shown = `${sum.value} ${other.value}`))
  return batches.map((changes, index) => {
    if (index === end) stop()
    batch(() => {
      for (const [which, value] of changes) ([left, right, other][which] ?? left).value = value
    })
    return shown
  })
}
