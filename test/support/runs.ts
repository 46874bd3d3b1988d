/**
 * Whether the tests were started with `npm run test:long`, which runs every test and repeats each property test many
 * times.
 */
export const IS_LONG = process.env['WALKON_TEST'] === 'long'

/**
 * How often the property tests run. There are several kinds of tests, by how long one run takes. The first number is
 * for `npm test`, the second for `npm run test:long`. A new test takes the first kind in this list that fits.
 */
const RUNS = {
  /** For tests of a single text or value. */
  cheap: [100, 5_000],
  /** For tests that parse, check or walk one generated graph. */
  usual: [50, 1_000],
  /** For tests that play one conversation or render a page. */
  dear: [20, 300],
  /** For tests that work on a database or play many conversations. */
  costly: [3, 80],
  /** For attempts to forge a report. */
  forgeries: [200, 12_000],
  /** For histories of a browser's messages, in memory. */
  histories: [40, 1_000],
} as const

/** Returns how often a property test of this kind runs. */
export function runs(cost: keyof typeof RUNS): number {
  return RUNS[cost][IS_LONG ? 1 : 0]
}

/** Returns the variants of a test to run: `npm test` runs the first variant, and `npm run test:long` runs all. */
export function variants<T>(all: readonly T[]): readonly T[] {
  return IS_LONG ? all : all.slice(0, 1)
}

/** Returns every `number`-th row of a table for `npm test`, and all rows for `npm run test:long`. */
export function oneIn<T>(number: number, rows: readonly T[]): readonly T[] {
  return IS_LONG ? rows : rows.filter((_, index) => index % number === 0)
}
