/** Whether this is the long run (`npm run test:long`), which has every test and many runs of each property. */
export const IS_LONG = process.env['WALKON_TEST'] === 'long'

/** How often a property runs: in `npm test`, and in the long run. Choose the first kind whose cost fits. */
const RUNS = {
  /** Tests a text or a value alone. */
  cheap: [100, 5_000],
  /** Parses, checks or walks one generated graph. */
  usual: [50, 1_000],
  /** Plays one conversation, or renders a page. */
  dear: [10, 300],
  /** Works on a database, or plays many conversations. */
  costly: [3, 80],
  /** Attempts to forge a report. */
  forgeries: [200, 12_000],
  /** Histories of a browser's messages, in memory. */
  histories: [40, 1_000],
} as const

/** Returns the number of runs of a property, by the kind of its single run. */
export function runs(cost: keyof typeof RUNS): number {
  return RUNS[cost][IS_LONG ? 1 : 0]
}

/** Returns the variants of a test that this run has: the first one in `npm test`, all of them in the long run. */
export function variants<T>(all: readonly T[]): readonly T[] {
  return IS_LONG ? all : all.slice(0, 1)
}

/** Every so many of a table's rows in `npm test`, and all of them in the long run. */
export function oneIn<T>(number: number, rows: readonly T[]): readonly T[] {
  return IS_LONG ? rows : rows.filter((_, index) => index % number === 0)
}
