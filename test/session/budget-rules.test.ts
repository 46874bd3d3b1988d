import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterCall, type Breaker, CLOSED, pauseLeft } from '../../worker/budget/breaker.ts'
import { dayOf, endOfDay } from '../../worker/budget/ledgers.ts'
import { costOf, readDollars } from '../../worker/budget/budget-config.ts'
import { chargeFor, mostOf } from '../../worker/budget/tokens.ts'
import { noneAhead, waitFor, withTurn } from '../../worker/budget/session-budget.ts'

const T0 = Date.UTC(2026, 10, 20)

describe('turns a minute', () => {
  it('[budget-1] the next one may begin when the oldest is a minute old, to the millisecond', () => {
    const begun = [0, 1, 2].reduce<readonly number[]>((all, at) => withTurn(all, 3, T0 + at * 1_000), [])
    expect(waitFor(begun, 3, T0 + 2_000)).toBe(58_000)
    expect(waitFor(begun, 3, T0 + 59_999)).toBe(1)
    expect(waitFor(begun, 3, T0 + 60_000)).toBe(0)
    expect(waitFor(withTurn(begun, 3, T0 + 60_000), 3, T0 + 60_000)).toBe(1_000)
  })

  it('[budget-1] no sixty seconds have more turns than the limit, and no turn waits without need', () => {
    const times = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), times, (limit, waits) => {
        let kept: readonly number[] = []
        const taken: number[] = []
        let now = T0
        for (const wait of waits) {
          now += wait
          const recent = taken.filter((at) => at > now - 60_000)
          expect(waitFor(kept, limit, now)).toBe(recent.length < limit ? 0 : (recent.at(-limit) ?? 0) + 60_000 - now)
          if (recent.length >= limit) continue
          kept = withTurn(kept, limit, now)
          taken.push(now)
          expect(kept.length).toBeLessThanOrEqual(limit)
        }
      }),
    )
  })

  it('[budget-1] after the clock was set back no turn waits longer than a minute', () => {
    const begun = withTurn([], 1, T0)
    expect(waitFor(noneAhead(begun, T0 - 86_400_000), 1, T0 - 86_400_000)).toBe(60_000)
    expect(noneAhead(begun, T0)).toBe(begun)
    expect(withTurn(begun, 2, T0 - 5_000)).toEqual([T0 - 5_000, T0 - 5_000])
  })
})

describe('tokens and money', () => {
  it('[budget-6] a text has at most as many tokens as bytes', () => {
    expect(mostOf([], 7)).toEqual({ input: 64, output: 7 })
    expect(mostOf(['abc', 'é😀'], 100)).toEqual({ input: 64 + 3 + 2 + 4, output: 100 })
  })

  it('[budget-7] what is charged, for each way a call may end', () => {
    const most = { input: 500, output: 100 }
    const counted = { input: 120, output: 30 }
    expect(chargeFor(most, { end: 'whole', counted, heardBytes: 200 })).toEqual(counted)
    expect(chargeFor(most, { end: 'whole', counted: null, heardBytes: 200 })).toEqual({ input: 500, output: 200 })
    expect(chargeFor(most, { end: 'broken', counted: null, heardBytes: 20 })).toEqual(most)
    expect(chargeFor(most, { end: 'broken', counted: null, heardBytes: 900 })).toEqual({ input: 500, output: 900 })
    expect(chargeFor(most, { end: 'free', counted: null, heardBytes: 0 })).toEqual({ input: 0, output: 0 })
    expect(chargeFor(most, null)).toEqual(most)
  })

  it('[budget-13] a cost is the least whole number of micro-dollars that is enough', () => {
    const price = fc.record({
      input: fc.integer({ min: 0, max: 1e12 }),
      output: fc.integer({ min: 0, max: 1e12 }),
    })
    const tokens = fc.record({ input: fc.nat(1e9), output: fc.nat(1e9) })
    fc.assert(
      fc.property(tokens, price, (used, asked) => {
        const cost = costOf(used, asked)
        const exact = BigInt(used.input) * BigInt(asked.input) + BigInt(used.output) * BigInt(asked.output)
        expect(Number.isSafeInteger(cost)).toBe(true)
        expect(BigInt(cost) * 1_000_000n).toBeGreaterThanOrEqual(exact)
        expect(BigInt(cost) * 1_000_000n - exact).toBeLessThan(1_000_000n)
      }),
    )
    expect(costOf({ input: 1, output: 0 }, { input: 1, output: 0 })).toBe(1)
    expect(costOf({ input: 3_000, output: 200 }, { input: 250_000, output: 2_000_000 })).toBe(1_150)
  })

  it('[budget-13] dollars are read digit by digit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (micro) => {
        const text = `${Math.floor(micro / 1e6)}.${String(micro % 1e6).padStart(6, '0')}`
        expect(readDollars(text)).toBe(micro)
      }),
    )
  })
})

describe('the day', () => {
  it('[budget-12] is the one in UTC, and ends when the next begins', () => {
    const midnight = Date.UTC(2026, 10, 21)
    expect(dayOf(midnight - 1)).toBe('2026-11-20')
    expect(endOfDay(midnight - 1)).toBe(midnight)
    expect(dayOf(midnight)).toBe('2026-11-21')
    expect(endOfDay(midnight)).toBe(midnight + 86_400_000)
    // This is the last second of a leap year.
    expect(dayOf(Date.UTC(2028, 11, 31, 23, 59, 59))).toBe('2028-12-31')
  })
})

describe('the breaker', () => {
  const away = { type: 'turned-away', retryAfterMs: null } as const
  const faults = (count: number, at = T0): Breaker =>
    Array.from({ length: count }).reduce<Breaker>((breaker) => afterCall(breaker, away, at), CLOSED)

  it('[budget-15] three times in a row stop the calls; then once, and twice as long', () => {
    expect(pauseLeft(faults(2), T0)).toBe(0)
    expect(pauseLeft(faults(3), T0)).toBe(30_000)
    expect(pauseLeft(faults(3), T0 + 29_999)).toBe(1)
    expect(pauseLeft(faults(3), T0 + 30_000)).toBe(0)
    expect(pauseLeft(faults(4), T0)).toBe(60_000)
    expect(pauseLeft(faults(50), T0)).toBe(600_000)
  })

  it('[budget-15] an answer closes it, and a broken line says nothing', () => {
    expect(afterCall(faults(2), { type: 'unknown' }, T0)).toEqual(faults(2))
    expect(afterCall(faults(5), { type: 'answered' }, T0)).toEqual(CLOSED)
  })

  it('[budget-15] what the provider asks for counts where it is longer, ten minutes at most, also where a clock was set back', () => {
    const asked = (retryAfterMs: number) => afterCall(faults(2), { type: 'turned-away', retryAfterMs }, T0)
    expect(pauseLeft(asked(1_000), T0)).toBe(30_000)
    expect(pauseLeft(asked(90_000), T0)).toBe(90_000)
    expect(pauseLeft(asked(86_400_000), T0)).toBe(600_000)
    expect(pauseLeft(asked(86_400_000), T0 - 1)).toBe(0)
  })
})
