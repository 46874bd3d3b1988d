/** Whether this is a long run (`npm run test:long`). A long run has every test, and checks each property many times. */
export const IS_LONG = process.env['WALKON_TEST'] === 'long'

/**
 * How often each kind of property runs, first in `npm test` and then in a long run. For a new property, choose the
 * first kind whose cost fits.
 */
const RUNS = {
  /** Tests a text or a value alone. */
  cheap: [100, 5_000],
  /** Parses, checks or walks one generated graph. */
  usual: [50, 1_000],
  /** Plays one conversation, or renders a page. */
  dear: [20, 300],
  /** Works on a database, or plays many conversations. */
  costly: [3, 80],
  /** Attempts to forge a report. */
  forgeries: [200, 12_000],
  /** Histories of a browser's messages, in memory. */
  histories: [40, 1_000],
} as const

/** Returns how often a property runs, by its kind. */
export function runs(cost: keyof typeof RUNS): number {
  return RUNS[cost][IS_LONG ? 1 : 0]
}

/**
 * Returns the variants of a test that this run includes: the first variant in `npm test`, and all variants in a long
 * run.
 */
export function variants<T>(all: readonly T[]): readonly T[] {
  return IS_LONG ? all : all.slice(0, 1)
}

/** Returns every `number`-th row of a table in `npm test`, and all rows in a long run. */
export function oneIn<T>(number: number, rows: readonly T[]): readonly T[] {
  return IS_LONG ? rows : rows.filter((_, index) => index % number === 0)
}
