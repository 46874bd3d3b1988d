/** What came of one file of tests. */
export interface FileReport {
  /** Its path from the root. */
  readonly file: string
  readonly project: string
  /** `unfinished` when the run ended before the file did, as when the process that ran it died. */
  readonly state: 'passed' | 'failed' | 'unfinished'
  readonly passed: number
  /** With those that were still to run, and with a hook or an import that failed and no test with it. */
  readonly failed: number
  readonly skipped: number
  /** Names of tests that passed at the second try only. */
  readonly secondTries: readonly string[]
}

/** What came of a run of tests, or of two that were made one. */
export interface RunReport {
  readonly files: readonly FileReport[]
  /** Errors outside of all tests. */
  readonly errors: number
  /** Processes that died while they ran a file. */
  readonly deaths: number
  /** A run that was broken off, or that found no tests, has failed even if nothing in it did. */
  readonly isWhole: boolean
}

/** Those whose tests share the machine with real processes or a browser. */
const SHARING = ['socket', 'e2e']
/** Where more have failed, it is not the machine. */
const MOST_AGAIN = 8

/** [setup-14] The files that are worth a second run: what a process died under, and what failed beside other processes. */
export function worthASecondRun({ files, deaths, isWhole }: RunReport): readonly FileReport[] {
  if (!isWhole) return []
  const isWorth = ({ state, project }: FileReport) =>
    state === 'unfinished' ? deaths > 0 : state === 'failed' && SHARING.includes(project)
  const worth = files.filter(isWorth)
  return worth.length > MOST_AGAIN ? [] : worth
}

/** The one run that two were: of a file that ran twice, what the second said counts. */
export function mergeRuns(first: RunReport, second: RunReport): RunReport {
  const ranTwice = new Set(second.files.map(({ file }) => file))
  const left = first.files.filter(({ file }) => !ranTwice.has(file))
  const explained = first.files.filter(({ file, state }) => ranTwice.has(file) && state === 'unfinished').length
  return {
    files: [...left, ...second.files],
    errors: first.errors + second.errors,
    deaths: Math.max(0, first.deaths - explained) + second.deaths,
    isWhole: first.isWhole && second.isWhole,
  }
}

/** [setup-10] How many tests of a run failed, and whatever else did; above 0 for every run that failed. */
export function countFailed({ files, errors, deaths, isWhole }: RunReport): number {
  const counted = sum(files, 'failed') + errors + deaths
  return Math.max(counted, isWhole && files.length > 0 ? 0 : 1)
}

/** [setup-10] [setup-12] The last lines of a run: what passed at the second try only, and one that counts. */
export function closingLines(run: RunReport): readonly string[] {
  const tries = run.files.flatMap(({ file, secondTries }) =>
    secondTries.map((test) => `at the second try: ${file} > ${test}`),
  )
  const skipped = sum(run.files, 'skipped')
  const counts = `${sum(run.files, 'passed')} passed, ${countFailed(run)} failed`
  return [...tries, skipped === 0 ? counts : `${counts}, ${skipped} skipped`]
}

function sum(files: readonly FileReport[], what: 'passed' | 'failed' | 'skipped'): number {
  return files.reduce((total, file) => total + file[what], 0)
}
