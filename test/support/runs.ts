/** The long run has every test and many runs of each property: `npm run test:long`. */
export const IS_LONG = process.env['WALKON_TEST'] === 'long'

/** How often a property runs: in `npm test`, and in the long run. Choose the first kind that a run of it can afford. */
const RUNS = {
  /** Works on a text or a value alone. */
  cheap: [200, 5_000],
  /** Reads, checks or walks one drawn graph. */
  usual: [50, 1_000],
  /** Plays one conversation, or renders a page. */
  dear: [20, 300],
  /** Works on a database, or plays many conversations. */
  costly: [8, 80],
  /** Attempts to forge a report. */
  forgeries: [300, 12_000],
  /** Histories of a browser's messages, in memory. */
  histories: [60, 1_000],
} as const

/** The number of runs of a property, by what one run costs or is. */
export function runs(cost: keyof typeof RUNS): number {
  return RUNS[cost][IS_LONG ? 1 : 0]
}

/** The variants of a test that a run has: the first one in `npm test`, and all of them in the long run. */
export function variants<T>(all: readonly T[]): readonly T[] {
  return IS_LONG ? all : all.slice(0, 1)
}

/** Every so many of a table's rows in `npm test`, and all of them in the long run. */
export function oneIn<T>(number: number, rows: readonly T[]): readonly T[] {
  return IS_LONG ? rows : rows.filter((_, index) => index % number === 0)
}
