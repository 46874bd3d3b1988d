import { expect, it } from 'vitest'
import { monthlyCost, runsForOneDatabase, type Prices, type RunUsage } from '../../scripts/cost/monthly-cost.ts'

const usage: RunUsage = {
  messages: 10,
  requests: 4,
  objectCalls: 5,
  frames: 100,
  objectRowsRead: 0,
  objectRowsWritten: 200,
  d1RowsRead: 0,
  d1RowsWritten: 100,
  d1Batches: 20,
  secondsAMessage: 5,
  objectBytes: 1_000_000,
  d1Bytes: 0,
}
const free = { included: 0, more: 0 }
const prices: Prices = {
  base: 5,
  requests: { included: 1_000, more: 1_000_000 },
  objectCalls: { included: 0, more: 1_000_000 },
  gigabyteSeconds: { included: 0, more: 1_000_000 },
  rowsRead: free,
  rowsWritten: { included: 6_000, more: 1_000_000 },
  d1RowsRead: free,
  d1RowsWritten: { included: 1_000_000, more: 1 },
  objectGigabytes: { included: 0.05, more: 10 },
  d1Gigabytes: free,
}

it('[scale-1] a month is thirty days of runs; what is included costs nothing, and twenty frames are one call', () => {
  const bill = monthlyCost(1, usage, prices, 100)
  expect(
    Object.fromEntries(bill.map(({ what, dollars }) => [what, Math.round(dollars * 1_000) / 1_000])),
  ).toMatchObject({
    'the paid plan': 5,
    requests: 0,
    'object calls': 30 * 10,
    'object GB-seconds': 30 * 10 * 5 * 0.128,
    'object rows written': 0,
    'D1 rows written': 0,
    'object GB stored': 0.5,
  })
  const twice = monthlyCost(2, usage, prices, 100)
  expect(twice.find(({ what }) => what === 'object rows written')?.dollars).toBeCloseTo(2 * 30 * 200 - 6_000)
})

it('[scale-2] one database takes as many runs as its busiest second allows', () => {
  expect(runsForOneDatabase(usage, 200, 5)).toBe(172_800)
  expect(runsForOneDatabase({ ...usage, d1Batches: 40 }, 200, 5)).toBe(86_400)
})
