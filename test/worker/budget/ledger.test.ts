import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Held, LedgerStore } from '../../../worker/budget/ledger-store.ts'
import { runs } from '../../support/runs.ts'

const T0 = Date.UTC(2026, 10, 20)
const LEASE_MS = 1_000
let ledgers = 0

async function onLedger(act: (store: LedgerStore, storage: DurableObjectStorage) => void): Promise<void> {
  const object = env.ECHO.getByName(`ledger-${++ledgers}`)
  await runInDurableObject(object, (_, { storage }) => act(new LedgerStore(storage), storage))
}

function hold(id: string, amount: number, limit: number, at = T0) {
  return { id, amount, limit, expires: at + LEASE_MS }
}

describe('a ledger', () => {
  it('[budget-9] holds to the last unit, and not one more', async () => {
    await onLedger((store) => {
      expect(store.hold(hold('a', 60, 100), T0)).toBe('held')
      expect(store.hold(hold('b', 40, 100), T0)).toBe('held')
      expect(store.hold(hold('c', 1, 100), T0)).toBe('crowded')
      store.settle('a', 59, T0)
      expect(store.hold(hold('c', 1, 100), T0)).toBe('held')
      expect(store.balance()).toEqual({ used: 59, held: 41 })
    })
  })

  it('[budget-9] of two holds for the same call one counts, and so does one of two settlements', async () => {
    await onLedger((store) => {
      store.hold(hold('a', 60, 100), T0)
      expect(store.hold(hold('a', 60, 100), T0)).toBe('held')
      store.settle('a', 10, T0)
      store.settle('a', 10, T0)
      store.settle('nobody', 50, T0)
      expect(store.balance()).toEqual({ used: 10, held: 0 })
    })
  })

  it('[budget-8] a hold that is not settled in time counts as used, and a late settlement gives nothing back', async () => {
    await onLedger((store) => {
      store.hold(hold('dead', 60, 100), T0)
      store.hold(hold('late', 40, 100), T0)
      store.settle('late', 5, T0 + LEASE_MS)
      expect(store.balance()).toEqual({ used: 40, held: 60 })
      expect(store.hold(hold('c', 50, 100), T0 + LEASE_MS - 1)).toBe('crowded')
      expect(store.hold(hold('c', 50, 100), T0 + LEASE_MS)).toBe('over')
      expect(store.balance()).toEqual({ used: 100, held: 0 })
      store.settle('dead', 1, T0 + LEASE_MS)
      expect(store.balance()).toEqual({ used: 100, held: 0 })
    })
  })

  it('[budget-9] tells what will come back from what never will', async () => {
    await onLedger((store) => {
      store.hold(hold('a', 90, 100), T0)
      expect(store.hold(hold('b', 20, 100), T0)).toBe('crowded')
      expect(store.hold(hold('b', 101, 100), T0)).toBe('over')
      store.settle('a', 90, T0)
      expect(store.hold(hold('b', 20, 100), T0)).toBe('over')
      // The owner of a deployment may raise the limit during the day.
      expect(store.hold(hold('b', 20, 110), T0)).toBe('held')
    })
  })

  it('[budget-7] [budget-9] a call that used more than it held is charged, and later calls are refused', async () => {
    await onLedger((store) => {
      store.hold(hold('a', 50, 100), T0)
      store.settle('a', 130, T0)
      expect(store.balance()).toEqual({ used: 130, held: 0 })
      expect(store.hold(hold('b', 0, 100), T0)).toBe('over')
    })
  })

  it('[budget-13] takes whole numbers from 0 and nothing else', async () => {
    await onLedger((store) => {
      for (const amount of [-1, 0.5, Number.NaN, Infinity, 2 ** 53]) {
        expect(() => store.hold(hold('a', amount, 100), T0)).toThrow(RangeError)
        expect(() => store.settle('a', amount, T0)).toThrow(RangeError)
      }
      expect(store.balance()).toEqual({ used: 0, held: 0 })
    })
  })

  it('[budget-8] [budget-9] whatever happens in whatever order, it is what a list of numbers says', async () => {
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.record({ type: fc.constant('hold'), id: fc.nat(12), amount: fc.nat(60) }) },
      { weight: 3, arbitrary: fc.record({ type: fc.constant('settle'), id: fc.nat(12), amount: fc.nat(80) }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('pass'), id: fc.nat(1_500), amount: fc.constant(0) }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('wake'), id: fc.constant(0), amount: fc.constant(0) }) },
    )
    await onLedger((_, storage) => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 300 }), fc.array(act, { maxLength: 60 }), (limit, acts) => {
          storage.sql.exec('DROP TABLE IF EXISTS holds; DROP TABLE IF EXISTS balance')
          let store = new LedgerStore(storage)
          const list = new ReferenceLedger()
          let now = T0
          for (const { type, id, amount } of acts) {
            if (type === 'pass') now += id
            else if (type === 'wake') store = new LedgerStore(storage)
            else if (type === 'settle') {
              store.settle(String(id), amount, now)
              list.settle(id, amount, now)
            } else {
              expect(store.hold(hold(String(id), amount, limit, now), now)).toBe(list.hold(id, amount, limit, now))
            }
            const { used, held } = store.balance()
            expect(used + held).toBe(list.total())
            if (!list.hasOverrun) expect(used + held).toBeLessThanOrEqual(limit)
          }
        }),
        { numRuns: runs('dear') },
      )
    })
  })
})

/** The ledger as a plain list: the amount that is used, and the reservations with their expiry. */
class ReferenceLedger {
  hasOverrun = false
  #used = 0
  #holds: { id: number; amount: number; expires: number }[] = []

  hold(id: number, amount: number, limit: number, now: number): Held {
    if (this.#holds.some((each) => each.id === id)) return 'held'
    if (this.total() + amount <= limit) {
      this.#holds.push({ id, amount, expires: now + LEASE_MS })
      return 'held'
    }
    // From now on, an expired reservation counts as used, and its id may be used again.
    for (const dead of this.#holds.filter(({ expires }) => expires <= now)) this.#used += dead.amount
    this.#holds = this.#holds.filter(({ expires }) => expires > now)
    return this.#used + amount > limit ? 'over' : 'crowded'
  }

  settle(id: number, amount: number, now: number): void {
    const found = this.#holds.find((each) => each.id === id)
    if (!found) return
    this.#holds = this.#holds.filter((each) => each !== found)
    this.#used += found.expires <= now ? Math.max(found.amount, amount) : amount
    if (amount > found.amount) this.hasOverrun = true
  }

  total(): number {
    return this.#used + this.#holds.reduce((sum, { amount }) => sum + amount, 0)
  }
}
