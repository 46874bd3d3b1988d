import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_ATTEMPTS, retryDelayMs } from '../../worker/outbox/outbox.ts'

const SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
const message = fc.string({ minLength: 1 })
const attempt = fc.integer({ min: 1, max: SECONDS.length })

describe('when something is tried again', () => {
  it('[outbox-8] after the waits of the standard, each up to a fifth longer', () => {
    fc.assert(
      fc.property(message, attempt, (id, n) => {
        const delay = retryDelayMs(id, n, null)
        const base = (SECONDS[n - 1] ?? 0) * 1_000
        expect(delay).toBeGreaterThanOrEqual(base)
        expect(delay).toBeLessThanOrEqual(base * 1.2)
        expect(retryDelayMs(id, n, null)).toBe(delay)
      }),
    )
  })

  it('[outbox-8] different messages spread over the whole of it', () => {
    const delays = Array.from({ length: 1_000 }, (_, i) => retryDelayMs(`evt_${i}`, 2, null) ?? 0)
    const shares = delays.map((delay) => (delay - 300_000) / 60_000)
    for (const tenth of Array.from({ length: 10 }, (_, i) => i / 10)) {
      const inside = shares.filter((share) => share >= tenth && share < tenth + 0.1).length
      expect(inside).toBeGreaterThan(60)
      expect(inside).toBeLessThan(140)
    }
  })

  it('[outbox-11] there are ten attempts, and no wait after the last', () => {
    expect(MAX_ATTEMPTS).toBe(10)
    expect(retryDelayMs('evt_1', 9, null)).not.toBeNull()
    expect(retryDelayMs('evt_1', 10, 60_000)).toBeNull()
  })

  it('[outbox-9] not before the receiver asks for it, and not before the schedule does', () => {
    const scheduled = retryDelayMs('evt_1', 1, null) ?? 0
    expect(retryDelayMs('evt_1', 1, 120_000)).toBe(120_000)
    expect(retryDelayMs('evt_1', 1, 1)).toBe(scheduled)
  })
})
