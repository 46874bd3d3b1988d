import { monthlyCost, runsForOneDatabase, type Prices, type RunUsage } from './cost/monthly-cost.ts'

// Prints what Walkon costs in a month at Cloudflare, for a class, a school, and up to a million learners a day, and how
// many of them one D1 database takes. docs/reference/scale.md explains the figures.

/** Measured by `npm run usage --prefix bench` on 28 November 2026; the seconds are an assumption. */
const USAGE: RunUsage = {
  messages: 34,
  requests: 16,
  objectCalls: 31,
  // 42 frames of the conversation, and a heartbeat every 25 seconds of forty minutes.
  frames: 42 + 96,
  objectRowsRead: 850,
  objectRowsWritten: 590,
  d1RowsRead: 1_260,
  d1RowsWritten: 670,
  d1Batches: 20,
  secondsAMessage: 6,
  objectBytes: 300_000,
  d1Bytes: 100_000,
}

/**
 * Cloudflare's prices as of November 2026: developers.cloudflare.com/workers/platform/pricing,
 * /durable-objects/platform/pricing and /d1/platform/pricing. Traffic to clients and static files cost nothing.
 */
const PRICES: Prices = {
  base: 5,
  requests: { included: 10_000_000, more: 0.3 },
  objectCalls: { included: 1_000_000, more: 0.15 },
  gigabyteSeconds: { included: 400_000, more: 12.5 },
  rowsRead: { included: 25_000_000_000, more: 0.001 },
  rowsWritten: { included: 50_000_000, more: 1 },
  d1RowsRead: { included: 25_000_000_000, more: 0.001 },
  d1RowsWritten: { included: 50_000_000, more: 1 },
  objectGigabytes: { included: 5, more: 0.2 },
  d1Gigabytes: { included: 5, more: 0.75 },
}

/** The writing batches that one D1 database takes in a second: about 5 ms each. */
const BATCHES_A_SECOND = 200
/** How many times the average the busiest hour has. */
const PEAK = 5

const CASES = [
  ['a class', 30],
  ['a school', 1_000],
  ['a platform', 100_000],
  ['a million', 1_000_000],
] as const

const bills = CASES.map(([, runs]) => monthlyCost(runs, USAGE, PRICES))
const cell = (text: string) => text.padStart(14)
const dollars = (amount: number) =>
  cell(amount < 0.005 ? '·' : `$${amount.toLocaleString('en', { maximumFractionDigits: 2 })}`)
console.log(
  [
    ''.padEnd(22) + CASES.map(([name]) => cell(name)).join(''),
    'runs a day'.padEnd(22) + CASES.map(([, runs]) => cell(runs.toLocaleString('en'))).join(''),
    ...(bills[0] ?? []).map(
      ({ what }, at) => what.padEnd(22) + bills.map((bill) => dollars(bill[at]?.dollars ?? 0)).join(''),
    ),
    'a month'.padEnd(22) + bills.map((bill) => dollars(bill.reduce((sum, line) => sum + line.dollars, 0))).join(''),
    'for a run'.padEnd(22) +
      bills
        .map((bill, at) =>
          cell(`$${(bill.reduce((sum, line) => sum + line.dollars, 0) / ((CASES[at]?.[1] ?? 1) * 30)).toFixed(5)}`),
        )
        .join(''),
    '',
    `One D1 database takes about ${runsForOneDatabase(USAGE, BATCHES_A_SECOND, PEAK).toLocaleString('en')} runs a day.`,
    'Without the tokens of the language model, which cost more than all of this.',
  ].join('\n'),
)
